/** Runs the emulators of the providers, for journeys without the sandbox's codes and rail. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Api } from '../../../e2e/support/api.js'
import { Service } from '../../../e2e/support/processes.js'
import { NEWEST_VERSION } from '../../../packages/contract/dist/versions.js'

const program = fileURLToPath(new URL('../../../packages/providers/dist/emulate.js', import.meta.url))

const freePort = () =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Starts an emulator. Resolves to the variables that it prints, of which `last` is the last one. */
async function emulate(ends, name, port, last, ...options) {
  const child = spawn(process.execPath, [program, name, '--port', String(port), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.push(() => child.kill('SIGKILL'))
  const variables = {}
  for await (const line of createInterface({ input: child.stdout })) {
    const [variable, value] = line.split(/=(.*)/s)
    variables[variable] = value
    if (variable === last) return variables
  }
  throw new Error(`The emulator of ${name} ended before it was ready.`)
}

/** A day at the emulated bank lasts 1.7 seconds. */
const SPEED = '50000'

const header = 'merchant,route,routing,account,sec,addenda,name,line1,city,state,zip,memo'
const ach = (account, addenda = 'REF {payment}') => `ach,021000021,${account},ccd,${addenda},,,,,,`
const check = 'check,,,,,Card Services,PO Box 1,Dallas,TX,75201,Ref {payment}'
/**
 * How each merchant of the person with four payable accounts is paid. The emulated bank returns credits to 770002 as
 * R02, and answers credits to 779801 with a notification of change.
 */
const payees = { mch_1: check, mch_311289: ach('5550001'), mch_320004: ach('770002'), mch_301760: ach('779801') }

/** How the institutions of the emulated Plaid are paid. */
const linkedPayees = { mch_plaid_ins_900001: ach('5550001', 'RMR {number}'), mch_plaid_ins_900003: check }

async function importPayees(service, payees) {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-payees-'))
  const file = join(folder, 'payees.csv')
  const lines = Object.entries(payees).map(([merchant, route]) => `${merchant},${route}`)
  writeFileSync(file, `${header}\n${lines.join('\n')}\n`)
  try {
    await service.admin('payee', 'import', file, '--by', 'Ana Diaz')
    await service.admin('payee', 'confirm', 'all', '--by', 'Ben Okafor')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Receives the lender's webhooks, in any order. Resolves to the payments that they contain, by status and id. */
async function receivePayments(service, ends) {
  const received = new Map()
  const server = createHttpServer(async (request, response) => {
    const parts = []
    for await (const part of request) parts.push(part)
    const { event } = JSON.parse(Buffer.concat(parts))
    received.set(`${event.data.status} ${event.data.id}`, event.data)
    response.end()
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  await new Api(service).call('POST', '/webhooks', {
    type: 'payment.update',
    url: `http://127.0.0.1:${server.address().port}`,
    expand_event: true,
    api_version: NEWEST_VERSION,
  })
  return received
}

/**
 * Starts a service that texts codes with Twilio and pays through Increase, each emulated.
 * @param ends receives what must be stopped
 * @param isLinking true if people link institutions at an emulated Plaid, so that nothing comes from the sandbox
 * @returns the service, and functions that read the emulators
 */
async function startProviders(ends, isLinking) {
  const [bankPort, port] = await Promise.all([freePort(), freePort()])
  const bank = `http://127.0.0.1:${bankPort}`
  const hooksOf = name => `http://127.0.0.1:${port}/hooks/${name}`
  const twilio = await emulate(ends, 'twilio', 0, 'TWILIO_VERIFY_SERVICE')
  const plaid = isLinking ? await emulate(ends, 'plaid', 0, 'PLAID_WEBHOOK_URL', '--hooks', hooksOf('plaid')) : {}
  const service = new Service({
    PORT: String(port),
    PROVIDERS: `twilio,increase,${isLinking ? 'plaid' : 'sandbox'}`,
    ...twilio,
    ...plaid,
    INCREASE_API_URL: bank,
    INCREASE_API_KEY: 'emulator_api_key',
    INCREASE_WEBHOOK_SECRET: 'emulated_subscription_secret',
  })
  ends.push(() => service.remove())
  await service.start()
  await emulate(ends, 'increase', bankPort, 'INCREASE_WEBHOOK_SECRET', '--hooks', hooksOf('increase'), '--speed', SPEED)
  await importPayees(service, isLinking ? linkedPayees : payees)
  const webhooks = await receivePayments(service, ends)
  const read = async (url, headers) => (await fetch(url, { headers })).json()
  return {
    service,
    webhooks,
    async codeOf(phone) {
      const { code } = await read(`${twilio.TWILIO_API_URL}/emulator/codes/${encodeURIComponent(phone)}`)
      return code
    },
    async transfers() {
      const headers = { authorization: 'Bearer emulator_api_key' }
      const lists = ['ach_transfers', 'check_transfers'].map(list => read(`${bank}/${list}`, headers))
      return (await Promise.all(lists)).flatMap(({ data }) => data)
    },
  }
}

/** Starts a service whose codes and payments go through emulated providers. Accounts come from the sandbox. */
export const startWithProviders = ends => startProviders(ends, false)

/** Starts a service that uses emulated providers only. */
export const startWithoutSandbox = ends => startProviders(ends, true)
