/** Broken configurations of providers. Doctor names each problem and its fix. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIncreaseEmulator, type EmulatorOptions } from '@causeway/providers/increase/emulator/emulator'
import {
  createTwilioEmulator,
  emulatorIds,
  type TwilioEmulatorOptions,
} from '@causeway/providers/twilio/emulator/emulator'
import { afterAll, describe, expect, it } from 'vitest'
import { testService } from '../../testing/service.js'
import { readConfig } from '../config.js'
import { checkProviders } from './provider-checks.js'

const TWILIO = 'http://127.0.0.1:4701'
const INCREASE = 'http://127.0.0.1:4702'
const SECRET = 'the shared secret of the subscription'
const env = {
  PROVIDERS: 'twilio,increase,sandbox',
  TWILIO_API_URL: TWILIO,
  TWILIO_ACCOUNT_SID: emulatorIds.account,
  TWILIO_API_KEY: emulatorIds.apiKey,
  TWILIO_API_SECRET: emulatorIds.apiSecret,
  TWILIO_VERIFY_SERVICE: emulatorIds.service,
  INCREASE_API_URL: INCREASE,
  INCREASE_API_KEY: 'emulator_api_key',
  INCREASE_WEBHOOK_SECRET: SECRET,
}
const subscription = { url: 'https://api.example.com/hooks/increase', secret: SECRET }
const folder = mkdtempSync(join(tmpdir(), 'causeway-doctor-'))
const service = await testService()
afterAll(() => rmSync(folder, { recursive: true }))

interface Companies {
  twilio?: TwilioEmulatorOptions
  increase?: EmulatorOptions
  isDown?: boolean
}

async function findingsOf(changes: Record<string, string>, { twilio = {}, increase = {}, isDown }: Companies = {}) {
  const emulators: Record<string, { answer(request: Request): Promise<Response> }> = {
    [TWILIO]: createTwilioEmulator(twilio),
    [INCREASE]: createIncreaseEmulator({ webhooks: subscription, ...increase }),
  }
  const send: typeof fetch = async (input, init) => {
    if (isDown) throw new TypeError('fetch failed')
    const request = new Request(input, init)
    return emulators[new URL(request.url).origin]!.answer(request)
  }
  const findings = []
  const config = readConfig({ ...env, ...changes, DATABASE_URL: 'file:store.db' }, folder)
  for await (const finding of checkProviders(config, service.store, Date.now(), send)) findings.push(finding)
  return findings
}
const problemsOf = async (...args: Parameters<typeof findingsOf>) =>
  (await findingsOf(...args))
    .filter(({ level, name }) => level === 'problem' && name !== 'payees')
    .map(({ name, message }) => `${name}: ${message}`)

it('finds no problem in a working configuration, except that no merchant has a payee', async () => {
  const findings = await findingsOf({})
  expect(findings.filter(({ level }) => level === 'problem')).toEqual([
    { name: 'payees', level: 'problem', message: expect.stringMatching(/^No merchant has a payee.*payee import/) },
  ])
  expect(findings.filter(({ level }) => level === 'ok').length).toBeGreaterThan(3)
})

describe('a problem names its fix:', () => {
  it.each<[string, Record<string, string>, Companies, RegExp]>([
    ['the code length', {}, { twilio: { codeLength: 4 } }, /^twilio: .*6/],
    ['the secret of Twilio', {}, { twilio: { apiSecret: 'anotherSecret0000' } }, /^twilio: .*TWILIO_API_SECRET/],
    ['the Verify service', {}, { twilio: { service: `VA${'1'.repeat(32)}` } }, /^twilio: .*TWILIO_VERIFY_SERVICE/],
    ['the key of Increase', { INCREASE_API_KEY: 'another_key' }, {}, /^increase: .*INCREASE_API_KEY/],
    ['no event subscription', {}, { increase: { webhooks: undefined as never } }, /^increase: .*\/hooks\/increase/],
    ['no open account', {}, { increase: { accounts: [] } }, /^increase: .*open account/],
    ['the account of micro-deposits', { INCREASE_DEPOSIT_ACCOUNT: 'account_none' }, {}, /INCREASE_DEPOSIT_ACCOUNT/],
    ['an address that does not answer', {}, { isDown: true }, /did not answer/],
  ])('%s', async (_, changes, companies, message) => {
    expect((await problemsOf(changes, companies)).some(each => message.test(each))).toBe(true)
  })
})

it('warns of methods that no provider serves', async () => {
  const findings = await findingsOf({ PROVIDERS: 'twilio,increase' })
  expect(findings.find(({ name }) => name === 'providers')).toMatchObject({
    level: 'warning',
    message: expect.stringMatching(
      /^No provider serves identity\/answer, .*network\/discover, .*\. Not offered: .*, connect \(product of a person\), connect \(session\), .*, kba \(verification of a person\), .*, sna /,
    ),
  })
})

it('warns of methods that the connector last said it does not serve', async () => {
  const value = JSON.stringify({ methods: ['network/balance', 'rail/submit'] })
  await service.store.write(tx => tx.insertInto('settings').values({ name: 'connector_capabilities', value }).execute())
  const key = Buffer.alloc(32, 1).toString('base64')
  const findings = await findingsOf({
    PROVIDERS: 'connector',
    CONNECTOR_URL: 'http://127.0.0.1:4600',
    CONNECTOR_KEY: key,
  })
  const { message } = findings.find(({ name }) => name === 'providers')!
  expect(message).toContain('rail/accepts')
  expect(message).not.toContain('network/balance')
})
