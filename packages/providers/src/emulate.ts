/**
 * Serves a provider's emulator on this machine, for a dry run without a contract:
 *   node packages/providers/dist/emulate.js increase [--port N] [--hooks URL] [--speed N]
 * Prints the variables with which the service reaches it. `--hooks` is the address of the service's webhooks. `--speed` is
 * the number of times that transfers move faster than at the real bank.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { serveFaulty } from '@causeway/connector/emulator/server'
import { SECOND_MS } from '@causeway/contract/time'
import { createIncreaseEmulator } from './increase/emulator/emulator.js'
import { createPlaidEmulator, emulatorKeys } from './plaid/emulator/emulator.js'
import { createTwilioEmulator, emulatorIds } from './twilio/emulator/emulator.js'

interface Emulated {
  port: number
  create(options: { hooks: string; speed: number }): {
    answer(request: Request): Promise<Response>
    /** Tells the emulator its address, at which it has pages. */
    setOrigin?(url: string): void
  }
  variables(url: string, hooks: string): Record<string, string>
}

const INCREASE_SECRET = 'emulated_subscription_secret'
/** A day at the emulated bank lasts 144 seconds. */
const DEFAULT_SPEED = 600
const DELIVERY_INTERVAL_MS = 500
const MAX_DELIVERIES = 5

/** The account from which the demo lender pays. */
const demoAccounts = [{ name: 'Lender', balance: 1_000_000_00, routing: '062103000', number: '123456789' }]

/** Sends a webhook until it is accepted, as the companies do. */
async function deliver({ url, headers, body }: { url: string; headers: Record<string, string>; body: string }) {
  for (let attempt = 1; attempt <= MAX_DELIVERIES; attempt++) {
    const status = await fetch(url, { method: 'POST', headers, body }).then(
      response => response.status,
      () => null,
    )
    if (status !== null && status < 300) return
    process.stderr.write(`${url} ${status === null ? 'did not answer' : `answered ${status}`}\n`)
    await sleep(attempt * SECOND_MS)
  }
}

function createIncrease({ hooks: url, speed }: { hooks: string; speed: number }) {
  const emulator = createIncreaseEmulator({
    speed,
    accounts: demoAccounts,
    webhooks: { url, secret: INCREASE_SECRET },
  })
  setInterval(() => {
    emulator.bank.runSteps()
    for (const delivery of emulator.takeWebhooks()) deliver(delivery)
  }, DELIVERY_INTERVAL_MS)
  return emulator
}

function createPlaid() {
  const emulator = createPlaidEmulator()
  setInterval(async () => {
    for (const delivery of await emulator.takeWebhooks()) deliver(delivery)
  }, DELIVERY_INTERVAL_MS)
  return emulator
}

const emulators = new Map<string, Emulated>([
  [
    'increase',
    {
      port: 4720,
      create: createIncrease,
      variables: url => ({
        INCREASE_API_URL: url,
        INCREASE_VAULT_URL: url,
        INCREASE_API_KEY: 'emulator_api_key',
        INCREASE_TOKENIZATION_KEY: 'emulator_tokenization_key',
        INCREASE_WEBHOOK_SECRET: INCREASE_SECRET,
      }),
    },
  ],
  [
    'plaid',
    {
      port: 4730,
      create: createPlaid,
      variables: (url, hooks) => ({
        PLAID_API_URL: url,
        PLAID_CLIENT_ID: emulatorKeys.clientId,
        PLAID_SECRET: emulatorKeys.secret,
        PLAID_CLIENT_NAME: 'Emulated Lender',
        PLAID_WEBHOOK_URL: hooks,
      }),
    },
  ],
  [
    'twilio',
    {
      port: 4710,
      create: () => createTwilioEmulator(),
      variables: url => ({
        TWILIO_API_URL: url,
        TWILIO_ACCOUNT_SID: emulatorIds.account,
        TWILIO_API_KEY: emulatorIds.apiKey,
        TWILIO_API_SECRET: emulatorIds.apiSecret,
        TWILIO_VERIFY_SERVICE: emulatorIds.service,
      }),
    },
  ],
])

/** Quotes a value that a shell would split. */
const quote = (value: string) => (/^[\w:/.,-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`)

const usage = `usage: pnpm providers:emulate ${[...emulators.keys()].join('|')} [--port N] [--hooks URL] [--speed N]
  --port N     the port to listen on
  --hooks URL  the address to which webhooks are sent; by default, that of a service on this machine
  --speed N    how many times faster the bank's days pass; by default ${DEFAULT_SPEED}
`

function exit(message: string, code: number): never {
  ;(code === 0 ? process.stdout : process.stderr).write(message)
  process.exit(code)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        hooks: { type: 'string' },
        speed: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    return exit(`${(error as Error).message}\n${usage}`, 2)
  }
}

const { positionals, values } = readArguments()
if (values.help) exit(usage, 0)
const emulated = emulators.get(positionals[0] ?? '')
if (!emulated || positionals.length > 1) exit(usage, 2)
const speed = Number(values.speed ?? DEFAULT_SPEED)
if (!(speed >= 1 && speed <= 1_000_000)) exit('--speed must be a number from 1 to 1000000\n', 2)
const port = Number(values.port ?? emulated.port)
if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) exit('--port must be a number from 0 to 65535\n', 2)
const hooks = values.hooks ?? `http://127.0.0.1:4000/hooks/${positionals[0]}`
const { answer, setOrigin } = emulated.create({ hooks, speed })
const { url } = await serveFaulty(answer, { port })
setOrigin?.(url)
for (const [name, value] of Object.entries(emulated.variables(url, hooks)))
  process.stdout.write(`${name}=${quote(value)}\n`)
