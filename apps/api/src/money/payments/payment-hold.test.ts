import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import { describe, expect, it } from 'vitest'
import { PAYMENTS_STOPPED_SETTING } from '../../team/teams/store.js'
import { confirmed } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { checkLedger } from '../ledger/check.js'

const submitted: string[] = []
/** True to lose the rail's answer to a submission that arrived. */
let loses = false
const ports = (given: Ports): Ports => ({
  ...given,
  rail: {
    ...given.rail,
    async submit(call) {
      submitted.push(`${call.payment_id} ${call.source_date}`)
      if (loses) throw new OutsideError('no answer')
      return given.rail.submit(call)
    },
  },
})
const service = await testService({ ports })
const bank = lender(service)
const source = (await bank.source()).id
const good: Record<string, unknown> = {
  amount: 5_000,
  source,
  destination: (await bank.debts()).accounts[0]!.id,
  description: 'x',
}

/**
 * Stops or resumes a team's payments as an operator would, and waits until the processes that cache the team detect the
 * change.
 */
async function stopTeam(at: number | null): Promise<void> {
  await service.store.write(tx =>
    tx.updateTable('teams').set({ payments_stopped_at: at }).where('id', '=', service.team).execute(),
  )
  service.advance(2_000)
}
async function stopAll(stop: boolean): Promise<void> {
  await service.store.write(async tx => {
    if (stop) await tx.insertInto('settings').values({ name: PAYMENTS_STOPPED_SETTING, value: 'now' }).execute()
    else await tx.deleteFrom('settings').where('name', '=', PAYMENTS_STOPPED_SETTING).execute()
  })
  service.advance(2_000)
}
const submissions = (id: string) => submitted.filter(each => each.startsWith(id))
const post = (headers: Record<string, string> = {}) => bank.call('POST', '/payments', good, headers)
const advance = (by: string) => bank.must('POST', '/simulate/clock', { advance: by })

describe('while payments are stopped', () => {
  it('a new payment is rejected with a retry time, and its key stays unused', async () => {
    await stopTeam(1)
    const key = { 'idempotency-key': 'stopped' }
    const refused = await post(key)
    expect([refused.status, refused.body.error?.sub_type]).toEqual([503, 'PAYMENTS_STOPPED'])
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await bank.call('POST', '/payments', { ...good, dry_run: true })).status).toBe(503)
    await stopTeam(null)
    const made = await post(key)
    expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([200, null])
  })

  it('a team stop affects only that team; the global stop affects every team', async () => {
    const other = lender(service, (await service.anotherTeam()).key)
    const source = (await other.source()).id
    const theirs = { ...good, source, destination: (await other.debts()).accounts[0]!.id }
    await stopTeam(1)
    expect((await other.call('POST', '/payments', theirs)).status).toBe(200)
    await stopTeam(null)
    await stopAll(true)
    expect((await other.call('POST', '/payments', theirs)).status).toBe(503)
    expect((await post()).status).toBe(503)
    await stopAll(false)
    expect((await post()).status).toBe(200)
  })

  it('a release is rejected and can be repeated', async () => {
    const { session } = await confirmed(service, '+15125550101')
    const path = `/opal/sessions/${session}`
    const body = { action: 'release_payments', data: { source: good['source'] } }
    await stopTeam(1)
    expect((await bank.call('POST', path, body, { 'idempotency-key': 'release' })).status).toBe(503)
    await stopTeam(null)
    const released = await bank.call('POST', path, body, { 'idempotency-key': 'release' })
    expect(released.body).toMatchObject({ data: { bt: { payout_status: 'released' } } })
  })

  // kills: stopped-payments-wait
  it('a pending payment is not submitted, shows that it is held, and later continues with new dates', async () => {
    await service.settle()
    const made = await bank.must('POST', '/payments', good)
    await stopTeam(1)
    await advance('P5D')
    const held = await bank.must('GET', `/payments/${made.id}`)
    expect(held).toMatchObject({ status: 'pending', fund_status: 'hold' })
    expect(held['source_settlement_date']).toBe(made['source_settlement_date'])
    await advance('P1D')
    expect(submissions(made.id)).toEqual([])
    expect((await checkLedger(service.deps)).faults).toEqual([])
    await stopTeam(null)
    await advance('PT2M')
    const going = await bank.must('GET', `/payments/${made.id}`)
    expect(going).toMatchObject({ status: 'pending', fund_status: 'pending', source_settlement_date: '2026-03-09' })
    expect(submissions(made.id)).toHaveLength(1)
    await advance('P7D')
    expect(await bank.must('GET', `/payments/${made.id}`)).toMatchObject({ status: 'posted' })
  })

  it('a pending payment can still be canceled', async () => {
    const { id } = await bank.must('POST', '/payments', good)
    await stopTeam(1)
    await service.settle()
    expect(await bank.must('DELETE', `/payments/${id}`)).toMatchObject({ status: 'canceled' })
    await stopTeam(null)
  })

  it('a held payment can be canceled after its original settlement date', async () => {
    const { id } = await bank.must('POST', '/payments', good)
    await stopTeam(1)
    await advance('P5D')
    expect(await bank.must('DELETE', `/payments/${id}`)).toMatchObject({ status: 'canceled' })
    expect(submissions(id)).toEqual([])
    await stopTeam(null)
  })

  it('a held payment fails without being made if its source is disabled after the original settlement date', async () => {
    const source = (await bank.source()).id
    const returned = (await bank.must('POST', '/payments', { ...good, source })).id
    for (const status of ['processing', 'sent']) await bank.must('POST', `/simulate/payments/${returned}`, { status })
    const { id } = await bank.must('POST', '/payments', { ...good, source })
    await stopTeam(1)
    await advance('P5D')
    const disabling = { status: 'reversal_required', error_code: 10003 }
    await bank.must('POST', `/simulate/payments/${returned}`, disabling)
    await service.settle()
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'failed', error: { code: 10007 } })
    expect(submissions(id)).toEqual([])
    await stopTeam(null)
  })

  it('a payment that the rail may have received is not held, and keeps its dates', async () => {
    await service.settle()
    loses = true
    const { id, source_settlement_date: date } = await bank.must('POST', '/payments', good)
    await service.settle()
    loses = false
    await stopTeam(1)
    await advance('P1D')
    await advance('P4D')
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({
      fund_status: 'pending',
      source_settlement_date: date,
    })
    expect((await bank.call('DELETE', `/payments/${id}`)).body.error?.sub_type).toBe('INVALID_STATUS')
    expect(submissions(id)).toEqual([`${id} ${date}`])
    await stopTeam(null)
    await advance('PT2M')
    expect(submissions(id)).toEqual([`${id} ${date}`, `${id} ${date}`])
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'posted' })
  })

  it('returned money is held too', async () => {
    const { id } = await bank.must('POST', '/payments', good)
    for (const status of ['processing', 'sent']) await bank.must('POST', `/simulate/payments/${id}`, { status })
    const back = { status: 'reversal_required', error_code: 10009 }
    const path = `/payments/${id}/reversals/${(await bank.must('POST', `/simulate/payments/${id}`, back))['reversal_id']}`
    await bank.must('PUT', path, { status: 'pending' })
    await stopTeam(1)
    await advance('P3D')
    expect(await bank.must('GET', path)).toMatchObject({ status: 'pending' })
    await stopTeam(null)
    await advance('P3D')
    expect(await bank.must('GET', path)).toMatchObject({ status: 'sent' })
  })
})

it('an unavailable rail is counted as unanswered and is not a fault', async () => {
  const down = new OutsideError('no answer')
  const rail = { ...service.deps.ports.rail, status: () => Promise.reject(down) }
  const deps = { ...service.deps, ports: { ...service.deps.ports, rail } }
  await bank.must('POST', '/payments', good)
  const report = await checkLedger(deps)
  expect(report).toMatchObject({ ok: true, faults: [] })
  expect(report.unanswered).toBeGreaterThan(0)
})
