/**
 * Serves a provider's emulator on this machine, for a dry run without a contract:
 *   node packages/providers/dist/emulate.js twilio [--port N]
 * Prints the variables with which the service reaches it.
 */
import { parseArgs } from 'node:util'
import { serveFaulty } from '@causeway/connector/emulator/server'
import { createTwilioEmulator, emulatorIds } from './twilio/emulator/emulator.js'

interface Emulated {
  port: number
  create(): { answer(request: Request): Promise<Response> }
  variables(url: string): Record<string, string>
}

const emulators = new Map<string, Emulated>([
  [
    'twilio',
    {
      port: 4710,
      create: createTwilioEmulator,
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

const { positionals, values } = parseArgs({ allowPositionals: true, options: { port: { type: 'string' } } })
const emulated = emulators.get(positionals[0] ?? '')
if (!emulated || positionals.length > 1) {
  process.stderr.write(`usage: pnpm providers:emulate ${[...emulators.keys()].join('|')} [--port N]\n`)
  process.exit(2)
}
const { answer } = emulated.create()
const { url } = await serveFaulty(answer, { port: Number(values.port ?? emulated.port) })
for (const [name, value] of Object.entries(emulated.variables(url))) process.stdout.write(`${name}=${value}\n`)
