/** The statement of Increase's emulator against the store, as an operator sees it. */
import { DAY_MS } from '@causeway/contract/time'
import { beforeAll, describe, expect, it } from 'vitest'
import { createOps } from '../../main/listeners/ops.js'
import { checkProviders } from '../../main/operator/provider-checks.js'
import { checkStatements, statementCommands } from '../../main/operator/statement.js'
import { bankService } from '../../testing/bank.js'
import { masterKey } from '../../testing/service.js'
import { comparePages, emptyProgress } from './reconcile.js'

type Row = Record<string, unknown>

const bank = await bankService()
const { service, emulator, team, pass, ask, sendAsOperator, compare, runs } = bank
const exceptions = async (status = 'open') => (await ask('GET', `exceptions?status=${status}`)).data
const check = { route: 'check', name: 'Card', line1: 'PO Box 1', city: 'Dallas', state: 'TX', zip: '75201', memo: '1' }
let source = ''
let debts: { id: string; liability: { mch_id: string } }[] = []
beforeAll(async () => {
  await team.must('PATCH', '/team', { ach_destinations: true })
  source = (await team.source()).id
  debts = (await team.debts()).accounts as unknown as typeof debts
  await bank.payBy(debts[0]!.liability.mch_id, { route: 'ach', routing: '021000021', account: '5550001', sec: 'ccd' })
})
async function pay(destination: string, more: Row = {}): Promise<string> {
  const { id } = await team.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x', ...more })
  await service.settle()
  return id
}
const payNumber = async (number: string) => pay((await team.source(number)).id)
const lineOf = (payment: string, isCredit = false) =>
  emulator.bank.transactions.find(({ amount, source: { category, ...details } }) => {
    const inner = (details as Record<string, { transfer_id: string } | undefined>)[category]
    return inner?.transfer_id === bank.transferOf(payment).id && amount > 0 === isCredit
  })!

it('has no run before an operator or the schedule starts one', async () => {
  expect(await runs()).toEqual([])
  expect(await exceptions('all')).toEqual([])
})

it('matches payments by ACH and by check, returned ones, reversals and micro-deposits', async () => {
  await pay(debts[0]!.id)
  const { id: closed } = await team.source('770002')
  const { id: elsewhere } = await team.source('2000001')
  const returned = [await pay(closed), await pay(closed, { reversal_account: elsewhere })]
  await pass(4)
  for (const id of returned) {
    const { status, reversal_id } = await team.must('GET', `/payments/${id}`)
    expect(status).toBe('reversal_required')
    await team.must('PUT', `/payments/${id}/reversals/${reversal_id}`, { status: 'pending' })
  }
  const { id: unproven } = await team.source('770003')
  await team.must('POST', `/accounts/${unproven}/verification_sessions`, { type: 'micro_deposits' })
  await bank.payBy(debts[1]!.liability.mch_id, check)
  const checkPayment = await pay(debts[1]!.id)
  await pass(4)
  const statusOf = async () => (await team.must('GET', `/payments/${checkPayment}`))['status']
  expect(await statusOf()).toBe('sent')
  const mailed = await compare()
  expect((mailed.result['money_in'] as number) + (mailed.result['money_out'] as number)).toBe(
    emulator.bank.currentBalance(emulator.accounts[0]!) - 100_000_000,
  )
  for (const id of returned) expect(await team.must('GET', `/payments/${id}`)).toMatchObject({ status: 'reversed' })
  expect(mailed).toMatchObject({ provider: 'increase', team_id: service.team, status: 'complete' })
  expect(mailed.result).toMatchObject({
    // A payment, two returned payments, and the transfer that moved one of them on.
    ...{ matched: 6, recent: 0, exceptions: 0 },
    other: expect.arrayContaining([
      { category: 'ach_transfer_intention', count: 2, sum: expect.any(Number) },
      { category: 'ach_transfer_return', count: 2, sum: expect.any(Number) },
    ]),
  })
  await pass(6)
  expect(await statusOf()).toBe('posted')
  const { result } = await compare()
  // Reads a week again, in which nothing else happened.
  expect(result).toMatchObject({ lines: 1, matched: 1, exceptions: 0 })
  expect(await exceptions('all')).toEqual([])
})

const metrics = async () => (await createOps(service.deps, () => true)(new Request('http://ops/metrics'))).text()
/** Doctor's findings about statements. */
async function findings(): Promise<string> {
  const config = { masterKey, routes: new Map(), providers: [bank.configured], environment: 'sandbox' }
  const messages: string[] = []
  for await (const { message } of checkProviders(config as never, service.store, service.deps.clock(), bank.send))
    messages.push(message)
  return messages.filter(message => /[Ss]tatement/.test(message)).join('\n')
}

describe('an exception', () => {
  // kills: exception-is-stored-once
  // kills: seen-exception-stays-open
  // kills: missing-line-is-reported
  // kills: missing-return-is-reported
  it('of each kind is stored once, and resolved when a later run no longer finds it', async () => {
    const [hidden, cheap, twice, unlinked, unreturned, unnoticed] = [
      await payNumber('1000001'),
      await payNumber('1000002'),
      await payNumber('1000003'),
      await payNumber('1000004'),
      await payNumber('770002'),
      await payNumber('1000005'),
    ]
    await pass(4)
    const { transactions } = emulator.bank
    const before = [...transactions]
    const account = emulator.accounts[0]!
    const byHand = emulator.bank.post(account, -700, 'By hand', { category: 'ach_transfer_intention', transfer: 'x' })
    const remove = (id: string) =>
      void transactions.splice(
        transactions.findIndex(each => each.id === id),
        1,
      )
    const repeat = (id: string, amount: number) =>
      emulator.bank.post(account, amount, 'x', {
        category: amount < 0 ? 'ach_transfer_intention' : 'ach_transfer_return',
        transfer: bank.transferOf(id).id,
      })
    remove(lineOf(hidden).id)
    remove(lineOf(unreturned, true).id)
    const cheapLine = lineOf(cheap)
    cheapLine.amount = -4_000
    const [second, back] = [repeat(twice, -5_000), repeat(unnoticed, 5_000)]
    const object = { external_id: bank.transferOf(unlinked).id }
    const link = await service.store.write(tx =>
      tx
        .deleteFrom('provider_objects')
        .where('external_id', '=', object.external_id)
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    service.advance(2 * DAY_MS)
    const { result } = await compare()
    const listed = await exceptions()
    expect(result).toMatchObject({ exceptions: 8 })
    const expected = [
      { kind: 'missing_there', resource_id: hidden, line_id: null, amount: 5_000 },
      { kind: 'different_amount', resource_id: cheap, line_id: cheapLine.id, amount: -4_000, expected_amount: 5_000 },
      { kind: 'repeated', resource_id: twice, line_id: second, amount: -5_000 },
      { kind: 'missing_here', resource_id: null, line_id: byHand, amount: -700 },
      { kind: 'missing_here', resource_id: null, line_id: lineOf(unlinked).id, amount: -5_000 },
      { kind: 'unlinked', resource_id: unlinked, line_id: null, amount: 5_000 },
      { kind: 'not_returned', resource_id: unreturned, line_id: null, amount: 5_000 },
      { kind: 'returned_there', resource_id: unnoticed, line_id: back, amount: 5_000 },
    ]
    for (const each of expected) expect(listed).toContainEqual(expect.objectContaining({ ...each, status: 'open' }))
    expect(listed).toHaveLength(expected.length)

    await compare()
    const again = await exceptions()
    expect(again.map(({ id }) => id)).toEqual(listed.map(({ id }) => id))
    expect(again[0]!['last_seen_at']).not.toBe(again[0]!['first_seen_at'])

    cheapLine.amount = -5_000
    transactions.splice(0, transactions.length, ...before)
    await service.store.write(tx => tx.insertInto('provider_objects').values(link).execute())
    expect((await compare()).result).toMatchObject({ exceptions: 0 })
    expect(await exceptions()).toEqual([])
    const all = await exceptions('all')
    expect(all.map(({ status }) => status)).toEqual(expected.map(() => 'resolved'))
    expect(all.map(({ id }) => id)).toEqual(listed.map(({ id }) => id))
  })

  it('is explained by an operator with a name and a text, which is audited', async () => {
    emulator.bank.post(emulator.accounts[0]!, -900, 'By hand', { category: 'wire_transfer_intention', transfer: 'y' })
    service.advance(DAY_MS)
    await compare()
    const [{ id, kind }] = (await exceptions()) as [Row]
    expect(kind).toBe('missing_here')
    const path = `exceptions/${id}/explanation`
    const explanation = { team: service.team, by: 'Ana Diaz', text: '=We wired it by hand' }
    for (const wrong of [{ by: ' ' }, { text: '?' }, { team: 'team_0000000000000' }])
      expect((await sendAsOperator('POST', path, { ...explanation, ...wrong })).status).toBe(
        'team' in wrong ? 404 : 400,
      )
    expect(await metrics()).toContain('causeway_reconciliation_exceptions{provider="increase"} 1\n')
    expect(await findings()).toMatch(/without an explanation: 1\./)
    const explained = await ask('POST', path, explanation)
    expect(explained).toMatchObject({
      ...{ id, status: 'explained' },
      explanation: { by: 'Ana Diaz', text: '=We wired it by hand', at: expect.any(String) },
    })
    await compare()
    expect(await exceptions()).toEqual([])
    expect((await exceptions('all'))[0]).toMatchObject({ id, status: 'explained' })
    expect(await findings()).toBe('')
    service.advance(3 * DAY_MS)
    const text = await metrics()
    expect(text).toContain('causeway_reconciliation_exceptions{provider="increase"} 0\n')
    expect(text).toContain(`causeway_reconciliation_age_seconds{provider="increase"} ${(3 * DAY_MS) / 1_000}\n`)
    expect(await findings()).toMatch(/^The statement was last compared with the store at 2026-/)
    await compare()
    const audit = await ask('GET', `audit?team=${service.team}`)
    expect(audit.data).toContainEqual(expect.objectContaining({ action: 'reconciliation.explain', resource_id: id }))
    const { text: csv, headers } = await sendAsOperator('GET', `exceptions/csv?status=all`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, first] = csv.split('\r\n')
    expect(head).toMatch(/^id,team_id,provider,kind,status,.*,explanation$/)
    expect(first).toMatch(
      new RegExp(`^${id},${service.team},increase,missing_here,explained,.*,Ana Diaz,.*,'=We wired`),
    )
  })

  it('is listed and explained by commands', async () => {
    const lineId = emulator.bank.post(emulator.accounts[0]!, -800, 'x', {
      category: 'wire_transfer_intention',
      transfer: 'w',
    })
    service.advance(DAY_MS)
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    const now = service.deps.clock()
    const days = [day(now - DAY_MS), day(now)]
    const config = {
      masterKey,
      routes: new Map([['rail/submit', 'increase']]),
      providers: [bank.configured],
      connector: null,
    }
    const compareDays = () => checkStatements(service.store, config, now, days, bank.send)
    const run = (name: string, ...args: string[]) =>
      statementCommands[name]!(service.store, config as never, now, args) as Promise<Row & { exceptions: Row[] }>
    expect(await compareDays()).toMatchObject({ ok: false, runs: [{ lines: 1, open: [{ line_id: lineId }] }] })
    expect((await runs())[0]).toMatchObject({
      from: days[0],
      to: days[1],
      status: 'complete',
      result: { exceptions: 1 },
    })
    const [{ id }] = (await run('exceptions')).exceptions as [{ id: string }]
    await expect(run('explain', id, '--by', 'Ana Diaz')).rejects.toThrow('--note TEXT')
    await expect(run('explain', id, '--by', 'Ana Diaz', '--note', '-')).rejects.toThrow('three letters')
    await expect(run('explain', 'rex_0', '--by', 'Ana Diaz', '--note', 'A wire')).rejects.toThrow('No exception')
    expect(await run('explain', id, '--by', 'Ana Diaz', '--note', 'A wire')).toMatchObject({ status: 'explained' })
    expect(await run('exceptions')).toEqual({ exceptions: [] })
    expect((await run('exceptions', '--all')).exceptions[0]).toMatchObject({ id, explanation: { text: 'A wire' } })
    expect(await compareDays()).toMatchObject({ ok: true, runs: [{ exceptions: 1, open: [] }] })
  })

  it('is listed in pages', async () => {
    for (let index = 0; index < 60; index++)
      emulator.bank.post(emulator.accounts[0]!, -index, 'x', {
        category: 'wire_transfer_intention',
        transfer: `z${index}`,
      })
    service.advance(DAY_MS)
    await compare()
    const first = await ask('GET', 'exceptions')
    const second = await ask('GET', `exceptions?page_cursor=${first['next_cursor']}`)
    expect([first.data.length, second.data.length, second['next_cursor']]).toEqual([50, 10, null])
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(60)
    expect((await sendAsOperator('GET', `exceptions?status=closed`)).status).toBe(400)
    expect((await sendAsOperator('GET', `exceptions/csv`)).text.trim().split('\r\n')).toHaveLength(61)
  })
})

// kills: endless-statements-end
it('gives up on a statement whose empty pages do not end', async () => {
  let pages = 0
  const read = async () => {
    // Nothing in this loop waits, so that the time limit of a test can't stop it.
    if (pages === 2_000) throw new Error('The statement was read without an end.')
    return { lines: [], cursor: String(pages++) }
  }
  const input = {
    source: { provider: 'bank', read },
    team: { id: service.team, clockOffset: 0 },
    from: '2026-03-01',
    to: '2026-03-02',
    resourcesSince: 0,
  }
  const { store, clock } = service.deps
  await expect(comparePages({ store, clock }, input, emptyProgress())).rejects.toThrow('too many empty pages')
})
