/**
 * Serves a provider's emulator on this machine, for a dry run without a contract:
 *   node packages/providers/dist/emulate.js increase [--port N] [--hooks URL]
 * Prints the variables with which the service reaches it. `--hooks` is the address of the service's webhooks.
 */
import { parseArgs } from 'node:util'
import { serveFaulty } from '@causeway/connector/emulator/server'
import { createIncreaseEmulator } from './increase/emulator/emulator.js'
import { createTwilioEmulator, emulatorIds } from './twilio/emulator/emulator.js'

interface Emulated {
  port: number
  create(hooks: string): { answer(request: Request): Promise<Response> }
  variables(url: string): Record<string, string>
}

const INCREASE_SECRET = 'emulated_subscription_secret'
/** A day at the emulated bank lasts 144 seconds. */
const SPEED = 600
const DELIVERY_INTERVAL_MS = 500

/** The account from which the demo lender pays. */
const demoAccounts = [{ name: 'Lender', balance: 1_000_000_00, routing: '062103000', number: '123456789' }]

function createIncrease(url: string) {
  const emulator = createIncreaseEmulator({
    speed: SPEED,
    accounts: demoAccounts,
    webhooks: { url, secret: INCREASE_SECRET },
  })
  setInterval(() => {
    emulator.bank.runSteps()
    for (const { url: target, headers, body } of emulator.takeWebhooks())
      fetch(target, { method: 'POST', headers, body }).catch(() => process.stderr.write(`${target} did not answer\n`))
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

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, hooks: { type: 'string' } },
})
const emulated = emulators.get(positionals[0] ?? '')
if (!emulated || positionals.length > 1) {
  process.stderr.write(`usage: pnpm providers:emulate ${[...emulators.keys()].join('|')} [--port N] [--hooks URL]\n`)
  process.exit(2)
}
const { answer } = emulated.create(values.hooks ?? `http://127.0.0.1:4000/hooks/${positionals[0]}`)
const { url } = await serveFaulty(answer, { port: Number(values.port ?? emulated.port) })
for (const [name, value] of Object.entries(emulated.variables(url))) process.stdout.write(`${name}=${value}\n`)
