/** Runs the emulators of the providers, for journeys without the sandbox's codes and rail. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Service } from '../../../e2e/support/processes.js'

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

/** Pays every merchant, half of them by ACH and half by check. */
async function importPayees(service) {
  const response = await fetch(`${service.apiOrigin}/merchants`, {
    headers: { authorization: `Bearer ${service.key}` },
  })
  const { data } = await response.json()
  const lines = data.map(({ id }, index) =>
    index % 2 === 0
      ? `${id},ach,021000021,5550001,ccd,REF {payment},,,,,,`
      : `${id},check,,,,,Card Services,PO Box 1,Dallas,TX,75201,Ref {payment}`,
  )
  const folder = mkdtempSync(join(tmpdir(), 'causeway-payees-'))
  const file = join(folder, 'payees.csv')
  writeFileSync(
    file,
    `merchant,route,routing,account,sec,addenda,name,line1,city,state,zip,memo\n${lines.join('\n')}\n`,
  )
  try {
    await service.admin('payee', 'import', file, '--by', 'Ana Diaz')
    await service.admin('payee', 'confirm', 'all', '--by', 'Ben Okafor')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Starts a service that texts codes with Twilio and pays through Increase, each emulated.
 * @param ends receives what must be stopped
 * @returns the service, and functions that read the emulators
 */
export async function startWithProviders(ends) {
  const bankPort = await freePort()
  const bank = `http://127.0.0.1:${bankPort}`
  const twilio = await emulate(ends, 'twilio', 0, 'TWILIO_VERIFY_SERVICE')
  const service = new Service({
    PROVIDERS: 'twilio,increase,sandbox',
    ...twilio,
    INCREASE_API_URL: bank,
    INCREASE_API_KEY: 'emulator_api_key',
    INCREASE_WEBHOOK_SECRET: 'emulated_subscription_secret',
  })
  ends.push(() => service.remove())
  await service.start()
  await emulate(ends, 'increase', bankPort, 'INCREASE_WEBHOOK_SECRET', '--hooks', `${service.apiOrigin}/hooks/increase`)
  await importPayees(service)
  const read = async (url, headers) => (await fetch(url, { headers })).json()
  return {
    service,
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
