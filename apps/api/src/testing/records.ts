/** Test helper that provides product tests with debts, proofs of ownership, and events about records. */
import { expect } from 'vitest'
import { rejectionOf, timestamp } from './contract/cases.js'
import { fundingAccount } from './frame.js'
import { lender } from './money.js'
import type { TestService } from './service.js'

/** The fields that all completed account records share. */
export const recordOf = (account: string) => ({
  account_id: account,
  error: null,
  created_at: expect.stringMatching(timestamp),
  updated_at: expect.stringMatching(timestamp),
})

/** Returns the error's sub_type for a rejected POST request. */
export const postRejection =
  (service: TestService) =>
  async (path: string, body?: unknown, headers = {}) =>
    rejectionOf(await service.call('POST', path, body, headers))

/** Returns a resource's event types, oldest first. */
export const eventsOf = (service: TestService) => async (id: string) => {
  const events = service.store.reader.selectFrom('events').select('type')
  return (await events.where('resource_id', '=', id).orderBy('id').execute()).map(row => row.type)
}

/** Verifies an account through a session of this type. */
export async function prove(
  service: TestService,
  account: string,
  type: string,
  block: Record<string, string>,
): Promise<void> {
  const path = `/accounts/${account}/verification_sessions`
  const session = await service.call('POST', path, { type })
  expect((await service.call('PUT', `${path}/${session.body['id']}`, { [type]: block })).body['status']).toBe(
    'verified',
  )
}

/**
 * Creates accounts for a team that has every account product: a card and a loan with proofs, plus a mortgage and an ACH
 * account without proofs.
 */
export async function provenDebts(service: TestService) {
  const products = ['balance', 'update', 'payment', 'card_brand', 'payoff', 'connect', 'sensitive', 'attribute']
  await service.call('PATCH', '/team', { products: [...products, 'payment_instrument', 'transaction'] })
  const { accounts } = await lender(service).debts('+15121231111')
  const card = accounts[0]!.id
  const loan = accounts[2]!.id
  const mortgage = (await lender(service).debts('+15121231113')).accounts[0]!.id
  await prove(service, card, 'network', { cvv: '878' })
  await prove(service, loan, 'standard', { number: '7000008130' })
  return { card, loan, mortgage, ach: await fundingAccount(service) }
}

/** A debt in a credit report, with a balance and a limit. */
export const blankTradeline = {
  type_code: null,
  balance: 120_000,
  highest_balance: null,
  credit_limit: 500_000,
  term: null,
  next_payment_minimum_amount: null,
  last_payment_amount: null,
  past_due_amount: null,
  delinquency_charge_off_amount: null,
  opened_at: '2020-01-01',
  closed_at: null,
  last_activity_date: null,
  reported_date: null,
  next_payment_due_date: null,
  last_payment_date: null,
  delinquency_first_start_date: null,
  payment_history: null,
  narrative_codes: null,
  creditor_code: null,
}
