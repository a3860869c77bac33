import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { transact } from '../../platform/scope.js'
import { hideAccount } from '../../privacy/account.js'
import { rejectionOf } from '../../testing/contract/cases.js'
import { fundingAccount } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { engine, testService } from '../../testing/service.js'
import { lockAccount } from '../holders/store.js'

// SQLite runs one transaction at a time.
describe.runIf(engine === 'postgres')('while a person hides an account (PostgreSQL only)', async () => {
  const service = await testService()
  const { debts } = lender(service)

  /** Waits until a row lock blocks a statement. */
  async function isBlocked(): Promise<void> {
    for (;;) {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%for %'`.execute(service.store.reader)
      if (rows.length > 0) return
    }
  }

  /** Hides an account in a transaction that commits when the work has ended or waits for it. */
  async function hideDuring<T>(account: string, work: () => Promise<T>): Promise<T> {
    const started = await transact(service.deps, (await service.deps.teamOf(service.team))!, async tx => {
      await hideAccount(tx, (await lockAccount(tx, account))!)
      const working = work()
      await Promise.race([working, isBlocked()])
      return { working }
    })
    return started.working
  }

  // kills on PostgreSQL: filled-record-locks-its-holder
  it('a product that is being run for it emits no further event', async () => {
    const { accounts } = await debts()
    const { id } = accounts[0]!
    const { body } = await service.call('POST', `/accounts/${id}/updates`)
    await hideDuring(id, () => service.settle())
    const record = await service.store.reader
      .selectFrom('records')
      .select('status')
      .where('id', '=', body['id'])
      .executeTakeFirstOrThrow()
    const events = await service.store.reader
      .selectFrom('events')
      .select('type')
      .where('resource_id', '=', body['id'])
      .execute()
    expect([record.status, events]).toEqual(['completed', [{ type: 'update.create' }]])
  })

  it('a product that is requested for it is not found', async () => {
    const { accounts } = await debts()
    const { id } = accounts[0]!
    const reply = await hideDuring(id, () => service.call('POST', `/accounts/${id}/updates`))
    expect([reply.status, rejectionOf(reply)]).toEqual([404, 'NOT_FOUND'])
  })

  // kills on PostgreSQL: payment-holds-its-accounts
  it('a payment to it is rejected', async () => {
    const source = await fundingAccount(service)
    const { accounts } = await debts('+15125550110')
    const destination = accounts[0]!.id
    const reply = await hideDuring(destination, () =>
      service.call('POST', '/payments', { amount: 500, source, destination, description: 'Loan' }),
    )
    expect(rejectionOf(reply)).toBe('INVALID_DESTINATION')
  })
})
