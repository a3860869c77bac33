/** Every provider passes the conformance suite behind the signed contract of connectors, against its emulator. */
import { randomUUID } from 'node:crypto'
import { checkConnector, type Finding } from '@causeway/connector/conformance/conformance'
import { createConnector } from '@causeway/connector/http/serve'
import { readSharedKeys } from '@causeway/connector/http/signature'
import type { Provider } from '@causeway/connector/provider/provider'
import { createMemoryHost } from '@causeway/connector/testing/memory-host'
import { describe, expect, it } from 'vitest'
import { createIncreaseEmulator } from './increase/emulator/emulator.js'
import { providers } from './index.js'
import { createPlaidEmulator, emulatorKeys } from './plaid/emulator/emulator.js'
import { fetchFrom } from './testing/emulated.js'
import { achDebt, sourceAccount } from './testing/increase.js'
import { createTwilioEmulator, emulatorIds } from './twilio/emulator/emulator.js'

const keys = readSharedKeys(Buffer.alloc(32, 9).toString('base64'))!
const payment = {
  ...{ payment_id: 'pmt_0', amount: 100, fee: 0, source: sourceAccount, destination: achDebt },
  ...{ created_at: 0, source_date: '2026-12-01', destination_date: '2026-12-02' },
}
const phone = '+15125550142'

/** The emulator of each provider, its settings, and the questions to send. */
const cases: Record<
  string,
  { answer: (request: Request) => Promise<Response>; env: Record<string, string>; inputs: Record<string, object> }
> = {
  twilio: {
    answer: createTwilioEmulator().answer,
    env: {
      TWILIO_ACCOUNT_SID: emulatorIds.account,
      TWILIO_API_KEY: emulatorIds.apiKey,
      TWILIO_API_SECRET: emulatorIds.apiSecret,
      TWILIO_VERIFY_SERVICE: emulatorIds.service,
      TWILIO_SILENT_AUTH: 'on',
    },
    inputs: {
      'identity/send_code': { phone },
      'identity/begin_sna': { phone: '+15125550143' },
      'identity/check_code': { phone, code: '000000' },
    },
  },
  plaid: {
    answer: createPlaidEmulator().answer,
    env: {
      PLAID_API_URL: 'https://emulator.example',
      PLAID_CLIENT_ID: emulatorKeys.clientId,
      PLAID_SECRET: emulatorKeys.secret,
      PLAID_CLIENT_NAME: 'Example Lending',
      PLAID_AUTH: 'on',
    },
    inputs: {
      'network/link': { person: 'person_1', name: 'Ana Diaz', return_url: 'https://app.example.com/return' },
      'network/unlink': { person: 'person_1', institution: 'none' },
    },
  },
  increase: {
    answer: createIncreaseEmulator().answer,
    env: { INCREASE_API_KEY: 'emulator_api_key', INCREASE_WEBHOOK_SECRET: 'a secret of the subscription' },
    inputs: {
      'rail/accepts': { amount: 100, source: sourceAccount, destination: achDebt },
      'rail/submit': payment,
      'network/deposit': { routing: '021000021', number: '123456789', amounts: [21, 42] },
    },
  },
}

/** Acts that need an earlier act. The tests of the provider cover them. */
const untestedPaths: Record<string, string[]> = { increase: ['rail/cancel', 'rail/reverse'] }

/** The providers with an emulator. Another installation stands in for the upstream: see upstream.test.ts of the service. */
const emulated = Object.values(providers).filter(({ name }) => cases[name])

describe.each(emulated)('$title', (provider: Provider) => {
  it('passes the conformance suite', async () => {
    const { answer, env, inputs } = cases[provider.name]!
    const { exchange } = createMemoryHost(provider, { env, fetch: fetchFrom(answer) })
    const connector = createConnector({ exchange, keys, clock: Date.now, id: randomUUID })
    const findings: Finding[] = []
    for await (const finding of checkConnector({
      url: 'http://127.0.0.1:4600',
      keys,
      timeout: 2_000,
      fetch: (url, init) => connector(new Request(url, init)),
      clock: Date.now,
      id: randomUUID,
      inputs: inputs as never,
    }))
      findings.push(finding)
    expect(findings.filter(({ problem }) => problem !== null)).toEqual([])
    const tested = findings.filter(({ skipped }) => !skipped).map(({ rule }) => rule)
    const untested = Object.keys(provider.provides).filter(path => !tested.some(rule => rule.startsWith(`${path} `)))
    expect(untested).toEqual(untestedPaths[provider.name] ?? [])
  })
})
