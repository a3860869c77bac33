import { describe, expect, it } from 'vitest'
import { rejectionOf, timestamp } from '../../../../testing/contract/cases.js'
import { fundingAccount } from '../../../../testing/frame.js'
import { lender } from '../../../../testing/money.js'
import { testService } from '../../../../testing/service.js'
import { accountSessions, isLimited } from '../../../../testing/verification.js'

const service = await testService()
const debts = await lender(service).debts('+15125550100')
const ach = await fundingAccount(service)

const times = { created_at: expect.stringMatching(timestamp), updated_at: expect.stringMatching(timestamp) }

describe("verifying an account's number", () => {
  const card = () => debts.accounts[1]!.id
  const sessions = () => `/accounts/${card()}/verification_sessions`
  const begin = (type = 'standard') => service.call('POST', sessions(), { type })

  it('the correct number makes the account payable, and is never shown', async () => {
    const begun = await begin()
    expect(begun.body).toEqual({
      id: expect.stringMatching(/^avf_/),
      account_id: card(),
      status: 'pending',
      type: 'standard',
      standard: { number: null },
      error: null,
      ...times,
    })
    expect(rejectionOf(await begin())).toBe('EXISTING_VERIFICATION_SESSION')
    const put = (number: string) => service.call('PUT', `${sessions()}/${begun.body['id']}`, { standard: { number } })
    expect((await put('4000 0000 0009 9999')).body).toMatchObject({ status: 'pending', error: { code: 16002 } })
    const done = await put('4000-0000 0009 0342')
    expect(done.body).toMatchObject({ status: 'verified', standard: { number: 'xxxxxxxxxxxxxxxx' }, error: null })
    expect((await service.call('GET', `/accounts/${card()}`)).body).toMatchObject({
      products: ['balance', 'update', 'card_brand', 'payment', 'attribute', 'sensitive'],
      latest_verification_session: begun.body['id'],
    })
    expect(rejectionOf(await begin())).toBe('EXISTING_VERIFIED_SESSION')
    expect(rejectionOf(await put('4000000000090342'))).toBe('EXISTING_VERIFIED_SESSION')
  })

  it('rejects other types, and accounts without a number', async () => {
    expect(rejectionOf(await begin('micro_deposits'))).toBe('VERIFICATION_TYPE_NOT_SUPPORTED')
    const reply = await service.call('POST', `/accounts/${ach}/verification_sessions`, { type: 'standard' })
    expect(rejectionOf(reply)).toBe('VERIFICATION_TYPE_NOT_SUPPORTED')
  })
})

it('wrong account numbers are limited to ten per account and day, across sessions', async () => {
  const { sessions, begin } = accountSessions(service)
  const account = (await lender(service).debts('+15125550100')).accounts[1]!.id
  for (let session = 0; session < 2; session++) {
    const { id } = (await begin(account, 'standard')).body
    for (let tries = 0; tries < 5; tries++)
      await service.call('PUT', `${sessions(account)}/${id}`, { standard: { number: '4000000000091111' } })
    expect((await service.call('GET', `${sessions(account)}/${id}`)).body).toMatchObject({ status: 'failed' })
  }
  isLimited(await begin(account, 'standard'))
})
