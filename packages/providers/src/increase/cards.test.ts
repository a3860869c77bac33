import { DAY_MS, MINUTE_MS } from '@causeway/contract/time'
import { expect, it } from 'vitest'
import { cardDebt, cardEnv, createWorld, payment, sourceAccount } from '../testing/increase.js'

const question = payment({ destination: cardDebt })

it('pays a card, and stores its token and never its number', async () => {
  const { call, transferOf, emulator, account, requests, host } = createWorld({ env: cardEnv })
  const accepts = { amount: 50_000, source: sourceAccount, destination: cardDebt }
  expect(await call('rail/accepts', accepts)).toEqual({ accepted: true })
  expect(await call('rail/submit', question, 'pmt_1')).toEqual({ status: 'accepted' })
  expect(transferOf()).toMatchObject({
    type: 'card_push_transfer',
    business_application_identifier: 'card_bill_payment',
    presentment_amount: { currency: 'USD', value: '495.00' },
    merchant_name: 'Example Lending',
    merchant_name_prefix: 'EXAM',
    merchant_category_code: '6012',
    sender_address_line1: '1 Main St',
    recipient_name: 'Ana Diaz',
  })
  const withNumber = requests.filter(({ body }) => body.includes('4000123456789010'))
  expect(withNumber.map(({ path }) => path)).toEqual(['/card_tokens'])
  expect(host.links.get(transferOf()!.id)).toMatchObject({ kind: 'payment', id: 'pmt_1' })
  const seen: string[] = []
  for (let minute = 0; minute < 3; minute++) {
    seen.push((await call('rail/status', question)).status)
    emulator.forward(MINUTE_MS)
  }
  expect(seen).toEqual(['pending', 'processing', 'posted'])
  expect(emulator.bank.currentBalance(account)).toBe(1_000_000_00 - 49_500)
})

it('fails a payment that the issuer declines, and keeps its reason', async () => {
  const { call, emulator, account } = createWorld({ env: cardEnv })
  const declined = payment({ destination: { ...cardDebt, number: '4000123456780002' } })
  await call('rail/submit', declined, 'pmt_1')
  emulator.forward(DAY_MS)
  expect(await call('rail/status', declined)).toMatchObject({
    status: 'failed',
    code: 10008,
    returned_as: { code: 'closed_account', trace: null },
    next_at: null,
  })
  expect(emulator.bank.availableBalance(account)).toBe(1_000_000_00)
})

it.each([
  ['an issuer that accepts no pushed payments', { number: '4000123456780003' }, 10009],
  ['a number that is not a card’s', { number: '1234' }, 10009],
  ['an unknown expiration date', { card: { exp_month: '13', exp_year: '2030' } }, 10009],
  ['no expiration date', { card: undefined }, 10009],
] as const)('refuses %s', async (_, changes, code) => {
  const { call, emulator } = createWorld({ env: cardEnv })
  const refused = JSON.parse(JSON.stringify(payment({ destination: { ...cardDebt, ...changes } as never })))
  expect(await call('rail/submit', refused, 'pmt_1')).toEqual({ status: 'refused', code })
  expect(emulator.transfers.all.size).toBe(0)
})

// kills: card-push-is-off
it('sends no card number while card push is off', async () => {
  const { call, requests } = createWorld()
  expect(await call('rail/submit', question, 'pmt_1')).toEqual({ status: 'refused', code: 10009 })
  expect(requests.some(({ path }) => path === '/card_tokens')).toBe(false)
})
