import { describe, expect, it } from 'vitest'
import { readRemaining } from '../../platform/limits/counters.js'
import { type Scope, transact } from '../../platform/scope.js'
import { rejectionOf } from '../../testing/contract/cases.js'
import { testService } from '../../testing/service.js'
import { accountSessions } from '../../testing/verification.js'
import type { RecordRow } from '../holders/product.js'
import { lockAccount } from '../holders/store.js'
import { cardAttemptLimit } from './attempts.js'
import { countFirstAttempt } from './verification-tries.js'

type Body = Record<string, unknown> & { id: string }

const service = await testService()

const { sessions, begin, put, bank, cards } = accountSessions(service)

describe('a bank account', () => {
  it('rejects debt types, a second simultaneous session, and types reserved for the service', async () => {
    const account = await bank('1000000009')
    for (const type of ['standard', 'network', 'auto_verify', 'trusted_provisioner', 'issuer', 'toString'])
      expect(rejectionOf(await begin(account, type))).toBe('VERIFICATION_TYPE_NOT_SUPPORTED')
    await begin(account, 'micro_deposits')
    expect(rejectionOf(await begin(account, 'micro_deposits'))).toBe('EXISTING_VERIFICATION_SESSION')
    const id = (await begin(account, 'plaid')).body['id']
    expect(rejectionOf(await put(account, id, {}))).toBe('INVALID_REQUEST')
  })
})

describe('an attempt whose session was read before the account was locked', () => {
  const inTransaction = async <T>(work: (tx: Scope) => Promise<T>) =>
    transact(service.deps, (await service.deps.teamOf(service.team))!, work)
  const attempt = (
    account: string,
    known: RecordRow | null,
    read: () => { cvv: string } | string[] = () => ({ cvv: '878' }),
  ) => inTransaction(async tx => countFirstAttempt(tx, (await lockAccount(tx, account))!, 'network', read, known))
  const all = async (account: string) => (await service.call('GET', sessions(account))).body['data'] as Body[]

  it('counts at the session that began meanwhile', async () => {
    const [account] = await cards()
    const open = (await begin(account!, 'network')).body['id']
    expect(await attempt(account!, null)).toMatchObject({ row: { id: open }, data: { tries: 1 } })
    expect(await all(account!)).toMatchObject([{ id: open }])
    // The attempt was counted once against the account's limit.
    const { left } = await inTransaction(tx => readRemaining(tx, cardAttemptLimit, account!))
    expect(left).toBe(cardAttemptLimit.max - 1)
  })

  it('returns the problems of its input, and begins no second session', async () => {
    const [account] = await cards()
    const open = (await begin(account!, 'network')).body['id']
    expect(await attempt(account!, null, () => ['cvv'])).toEqual(['cvv'])
    expect(await all(account!)).toMatchObject([{ id: open }])
  })

  it('counts at a new session if that one ended meanwhile', async () => {
    const [account] = await cards()
    const taken = await attempt(account!, null)
    if (Array.isArray(taken)) throw new Error('The attempt was not counted.')
    const { id } = taken.row
    await service.store.write(tx =>
      tx
        .updateTable('records')
        .set({ status: 'failed' })
        .where('team_id', '=', service.team)
        .where('id', '=', id)
        .execute(),
    )
    expect(await attempt(account!, taken.row)).toMatchObject({ row: { id: expect.not.stringMatching(id) } })
    expect(await all(account!)).toMatchObject([{ status: 'pending' }, { id, status: 'failed' }])
  })
})
