import { expect, it } from 'vitest'
import { createMemoryHost } from '../testing/memory-host.js'
import { provider } from './provider.js'
import { readSettings, secret, wholeNumber } from './settings.js'

const settings = {
  EXAMPLE_KEY: secret({ what: 'the API key', pattern: /^key_\w{4,40}$/, mustBe: 'a key that begins with key_' }),
  EXAMPLE_DIGITS: wholeNumber('the number of digits', 4, 8, 6),
}

const common = {
  name: 'example',
  title: 'Example',
  settings,
  hosts: () => ['https://api.example.com'],
  environment: () => 'any' as const,
  capabilities: () => ({}),
  async *check() {},
  proven: { level: 'emulator', on: '2026-11-29' },
} as const

const sendCode = async () => ({ status: 'sent' as const })

const example = provider({
  ...common,
  provides: { 'identity/send_code': sendCode },
  outcomes: { 'identity/send_code': { find: async () => ({ known: false }), duplicates: 'harmless' } },
})

it('reads settings, and names each variable that is missing or wrong without its value', () => {
  expect(readSettings(settings, { EXAMPLE_KEY: 'key_abcd' }).values).toEqual({
    EXAMPLE_KEY: 'key_abcd',
    EXAMPLE_DIGITS: 6,
  })
  expect(readSettings(settings, { EXAMPLE_DIGITS: '99' }).faults).toEqual([
    {
      variable: 'EXAMPLE_KEY',
      message: 'EXAMPLE_KEY is required: the API key. It must be a key that begins with key_.',
    },
    { variable: 'EXAMPLE_DIGITS', message: 'EXAMPLE_DIGITS must be a whole number from 4 to 8.' },
  ])
  const [fault] = readSettings(settings, { EXAMPLE_KEY: 'wrong-secret' }).faults!
  expect(fault!.message).not.toContain('wrong-secret')
})

it('does not compile a provider without an outcome lookup, or with a payment that may be made twice', () => {
  // @ts-expect-error the act has no outcome lookup
  provider({ ...common, provides: { 'identity/send_code': sendCode }, outcomes: {} })
  const submit = async () => ({ status: 'accepted' as const })
  provider({
    ...common,
    provides: { 'rail/submit': submit },
    // @ts-expect-error a payment must never be duplicated
    outcomes: { 'rail/submit': { find: async () => ({ known: false }), duplicates: 'harmless' } },
  })
  expect(example.outcomes['identity/send_code'].duplicates).toBe('harmless')
})

it('performs an act once per request id, and answers the outcome from the first answer', async () => {
  let sent = 0
  const counted = provider({
    ...example,
    provides: {
      async 'identity/send_code'() {
        sent++
        return { status: 'sent' }
      },
    },
  })
  const { exchange } = createMemoryHost(counted, { env: { EXAMPLE_KEY: 'key_abcd' } })
  const call = { request_id: 'r1', team_id: 't1', now: 0, question: { phone: '+15125550142' } }
  const outcome = { ...call, question: { method: 'identity/send_code', question: call.question } }
  expect(await exchange('outcome', outcome)).toEqual({ known: false })
  expect(await exchange('identity/send_code', call)).toEqual({ status: 'sent' })
  expect(await exchange('identity/send_code', call)).toEqual({ status: 'sent' })
  expect(await exchange('outcome', outcome)).toEqual({ known: true, answer: { status: 'sent' } })
  expect(sent).toBe(1)
  await expect(exchange('rail/submit', call)).rejects.toThrow('Example has no rail/submit.')
  await expect(exchange('identity/send_code', { ...call, question: { phone: 'x' } })).rejects.toMatchObject({
    outcome: 'nothing',
    retryable: false,
  })
})
