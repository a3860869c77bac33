import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Causeway, CausewayError } from '@causeway/sdk'
import { serve } from '@hono/node-server'
import { createApp } from './app.js'
import { findFundingAccount, updateBrand } from './funding.js'
import { createFileStore } from './store.js'
import { subscribeToWebhooks } from './webhooks.js'

function setting(name: string): string {
  const value = process.env[name]
  if (value) return value
  console.error(`${name} is not set. \`pnpm start\` sets it; to set it yourself, see apps/demo/src/server.ts.`)
  process.exit(1)
}

const apiOrigin = new URL(setting('CAUSEWAY_API_ORIGIN')).origin
const causeway = new Causeway({ apiKey: setting('CAUSEWAY_SECRET_KEY'), baseUrl: apiOrigin })
const frameOrigin = new URL(setting('CAUSEWAY_FRAME_ORIGIN')).origin

/** Reports that the service rejected a call that this site needs, and exits. */
function giveUp(error: unknown): never {
  if (!(error instanceof CausewayError)) throw error
  const reference = error.request_id ? ` (Request-Id ${error.request_id})` : ''
  console.error(`The lender's account could not be prepared: ${error.sub_type}: ${error.message}${reference}`)
  process.exit(1)
}

const funding = await findFundingAccount(causeway).catch(giveUp)

const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`
// Without a file, the applications are in memory.
const file = process.env['DEMO_FILE']
const app = createApp({
  causeway,
  apiOrigin,
  frameOrigin,
  funding,
  webhookSecret,
  ...(file && { store: createFileStore(file, funding) }),
  newId: () => crypto.randomUUID(),
  now: () => new Date(),
})

// The site uses 127.0.0.1 rather than localhost, so that the frame is cross-site, as on a real customer's page. In a
// container, DEMO_HOST is the wildcard address, and the container's configuration determines which addresses are
// reachable.
const options = {
  fetch: app.fetch,
  hostname: process.env['DEMO_HOST'] ?? '127.0.0.1',
  port: Number(process.env['DEMO_PORT'] ?? 4300),
}
const server = serve(options, (address: AddressInfo) => {
  const origin = `http://127.0.0.1:${address.port}`
  updateBrand(causeway, origin)
    .then(() => console.log(JSON.stringify({ origin })))
    .catch(giveUp)
  subscribeToWebhooks(causeway, `${origin}/webhooks`, webhookSecret)
    .then(refusal => {
      if (refusal) console.error(`Pages do not update automatically: ${refusal}`)
    })
    .catch((error: unknown) => console.error('Webhooks could not be set up:', error))
})
server.on('error', (error: NodeJS.ErrnoException) => {
  const taken = error.code === 'EADDRINUSE'
  console.error(
    taken ? `Port ${options.port} is in use. Set DEMO_PORT to another port, or to 0 for any free port.` : error,
  )
  process.exit(1)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0))
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
