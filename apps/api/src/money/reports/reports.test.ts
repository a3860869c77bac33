import { type ReportType, reportTypes, report as schema } from '@causeway/contract/resources/report'
import { HOUR_MS } from '@causeway/contract/time'
import { describe, expect, it, vi } from 'vitest'
import { lowestId } from '../../platform/crypto/random.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

/**
 * Payments in order of creation: on Monday, on Monday after the cutoff, on Tuesday (one canceled, one failed), and on
 * Wednesday.
 */
const ids = { monday: '', evening: '', canceled: '', failed: '', wednesday: '' }

const service = await testService()
const bank = lender(service)
const source = await bank.source()
const debts = await bank.debts()
const entity = debts.entity
const pay = async (description: string) =>
  (
    await bank.must('POST', '/payments', {
      amount: 5_000,
      source: source.id,
      destination: debts.accounts[0]!.id,
      description,
    })
  ).id
const move = async (id: string, ...statuses: string[]) => {
  for (const status of statuses)
    await bank.must('POST', `/simulate/payments/${id}`, {
      status,
      ...(status === 'failed' ? { error_code: 10001 } : status === 'reversal_required' ? { error_code: 10009 } : {}),
    })
}
ids.monday = await pay('=1+1')
service.advance(8 * HOUR_MS)
ids.evening = await pay('x')
service.advance(16 * HOUR_MS)
ids.canceled = await pay('x')
await bank.must('DELETE', `/payments/${ids.canceled}`)
ids.failed = await pay('x')
await move(ids.failed, 'processing', 'failed')
await move(ids.monday, 'processing', 'sent', 'reversal_required')
const reversal = (await bank.must('GET', `/payments/${ids.monday}`))['reversal_id'] as string
service.advance(24 * HOUR_MS)
ids.wednesday = await pay('x')

const create = (type: ReportType, more: object = {}) => bank.must('POST', '/reports', { type, ...more })
const text = async (id: string) => (await service.call('GET', `/reports/${id}/download`)).text
/** Creates a report and returns its rows, keyed by the columns in its header line. */
async function rows(type: ReportType): Promise<Record<string, string>[]> {
  const [head, ...lines] = (await text((await create(type)).id)).trimEnd().split('\r\n')
  const names = head!.split(',')
  return lines.map(line => Object.fromEntries(line.split(',').map((cell, index) => [names[index]!, cell])))
}
const found = async (type: ReportType, column = 'id') => (await rows(type)).map(row => row[column])

describe('a report', () => {
  it('is completed when it is returned, with the URL of its rows', async () => {
    const made = await create('payments.created.current', { metadata: { for: 'books' } })
    expect(schema.parse(made)).toMatchObject({
      type: 'payments.created.current',
      status: 'completed',
      url: `http://127.0.0.1:4000/reports/${made.id}/download`,
      metadata: { for: 'books' },
    })
    expect(Object.keys(made)).toEqual(['id', 'type', 'url', 'status', 'metadata', 'created_at', 'updated_at'])
    expect(await bank.must('GET', `/reports/${made.id}`)).toEqual(made)
  })

  it('sends events when it starts and when it is ready', async () => {
    const { id } = await create('ach.pull.upcoming')
    const { data } = (await bank.must('GET', `/events?resource_id=${id}`)) as unknown as {
      data: { type: string; data: { status: string }; diff: { before: unknown } }[]
    }
    expect(data.map(event => [event.type, event.data.status])).toEqual([
      ['report.update', 'completed'],
      ['report.create', 'processing'],
    ])
    expect(data[0]!.diff.before).toEqual({ url: null, status: 'processing' })
  })

  it('downloads as an attachment on both mounts, without an envelope and uncached', async () => {
    const { id } = await create('payments.created.previous')
    for (const mount of ['', '/enveloped']) {
      const reply = await service.call('GET', `${mount}/reports/${id}/download`)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${id}.csv"`)
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
      expect(reply.text).toMatch(/^id,type,source,/)
    }
  })

  it.each([
    ['without a type', {}, 'INVALID_REQUEST'],
    ['of an unknown type', { type: 'payments' }, 'INVALID_REQUEST'],
    [
      'with metadata of 1,024 bytes',
      { type: 'ach.pull.upcoming', metadata: { a: 'x'.repeat(1_016) } },
      'MAX_REPORT_METADATA_SIZE_EXCEEDED',
    ],
  ])('%s is rejected', async (_what, body, sub_type) =>
    expect(await bank.rejection('POST', '/reports', body)).toBe(sub_type),
  )

  it('of another team returns 404, and so do its rows', async () => {
    const { id } = await create('payments.created.current')
    const other = lender(service, (await service.anotherTeam()).key)
    for (const path of [`/reports/${id}`, `/reports/${id}/download`])
      expect(await other.rejection('GET', path)).toBe('NOT_FOUND')
    const theirs = await other.must('POST', '/reports', { type: 'payments.updated.current' })
    const reply = await other.call('GET', `/reports/${theirs.id}/download`)
    expect(reply.text.trimEnd().split('\r\n')).toHaveLength(1)
  })
})

describe('the rows of', () => {
  // The time is 9 a.m. on Wednesday, March 4, in Chicago.
  it.each<[ReportType, string, (keyof typeof ids)[]]>([
    ['payments.created.current', 'id', ['wednesday']],
    ['payments.created.previous', 'id', ['evening', 'canceled', 'failed']],
    ['payments.created.previous_day', 'id', ['canceled', 'failed']],
    ['payments.updated.current', 'id', []],
    ['payments.updated.previous', 'id', ['monday', 'canceled', 'failed']],
    ['payments.failed.previous_day', 'id', ['failed']],
    ['ach.pull.upcoming', 'payment_id', ['evening', 'wednesday']],
    ['ach.pull.previous', 'payment_id', ['evening', 'failed']],
    ['ach.pull.nightly', 'payment_id', ['evening', 'failed']],
    ['ach.debit.daily', 'payment_id', ['wednesday']],
  ])('%s cover its time range', async (type, column, names) => {
    expect(await found(type, column)).toEqual(names.map(name => ids[name]))
  })

  it('ach.reversals.nightly are the reversals', async () => {
    const [row, ...rest] = await rows('ach.reversals.nightly')
    expect(rest).toEqual([])
    expect(row).toMatchObject({ id: reversal, pmt_id: ids.monday, amount: '5000', status: 'pending_approval' })
  })

  it('a file reflect the time of its creation', async () => {
    const { id } = await create('payments.created.current')
    const before = await text(id)
    service.advance(1)
    const [source, destination] = before.split('\r\n')[1]!.split(',').slice(2, 4)
    await bank.must('POST', '/payments', { amount: 100, source, destination, description: 'later' })
    expect(await text(id)).toBe(before)
  })

  it('an entity contain ids and statuses, without personal data', async () => {
    service.advance(-48 * HOUR_MS + 24 * HOUR_MS)
    const report = await create('entities.created.previous_day')
    const csv = await text(report.id)
    expect(csv).toContain(entity)
    expect(csv.split('\r\n')[0]).toBe('id,type,status,created_at,updated_at')
    expect(csv).not.toMatch(/Kevin|Doyle|5550101|Elm/)
    service.advance(24 * HOUR_MS)
  })

  it('the balances add up to the money that left and reached the accounts', async () => {
    const books = await rows('reserve_fbo_balance.created.previous_day')
    expect(books.map(row => row['book'])).toEqual(['clearing', 'transit', 'fees', 'receivable', 'outside'])
    const { total } = await service.store.reader
      .selectFrom('ledger')
      .select(query => query.fn.sum<number>('amount').as('total'))
      .where('account', 'like', 'acc%')
      .where('created_at', '<', Date.parse('2026-03-04T06:00:00.000Z'))
      .executeTakeFirstOrThrow()
    const sum = books.reduce((all, row) => all + Number(row['balance']), 0)
    expect(sum + Number(total ?? 0)).toBe(0)
  })

  it('a payment are not run as formulas in a spreadsheet', async () => {
    const { data } = (await bank.must('GET', '/payments')) as unknown as { data: { description: string }[] }
    expect(data.some(({ description }) => description === '=1+1')).toBe(true)
    const csv = await text((await create('payments.updated.previous')).id)
    expect(csv).toContain(",'=1+1,")
    expect(csv).not.toContain(',=1+1')
  })

  it('every report type can be read', async () => {
    for (const type of reportTypes) expect(await text((await create(type)).id)).toMatch(/^\w+(,\w+)+\r\n/)
  })
})

it('a long report is read in pages, with each row once and in order', async () => {
  const rows = await service.store.reader.selectFrom('payments').selectAll().where('id', '=', ids.wednesday).execute()
  const many = Array.from({ length: 1_203 }, (_, index) => ({
    ...rows[0]!,
    id: `${ids.wednesday.slice(0, 11)}${String(index).padStart(6, '0')}`,
    idempotency_key: null,
  }))
  await service.store.write(async tx => {
    for (let at = 0; at < many.length; at += 100)
      await tx
        .insertInto('payments')
        .values(many.slice(at, at + 100))
        .execute()
  })
  const read = (await text((await create('payments.created.current')).id))
    .split('\r\n')
    .map(line => line.split(',')[0]!)
  expect(read.filter(id => many.some(row => row.id === id))).toEqual(many.map(row => row.id))
})

it('a report that cannot be read completely stops short, and the failure is logged', async () => {
  const { id } = await create('payments.created.current')
  const { reader } = service.store
  const select = reader.selectFrom.bind(reader) as (table: string) => never
  const spy = vi.spyOn(reader, 'selectFrom').mockImplementation(((table: string) => {
    if (table === 'report_parts') throw new Error('The disk is gone')
    return select(table)
  }) as never)
  await expect(text(id)).rejects.toThrow()
  spy.mockRestore()
  const line = service.lines
    .map(each => JSON.parse(each) as Record<string, unknown>)
    .find(each => each['event'] === 'fault')
  expect(line).toMatchObject({ route: '/reports/:rpt_id/download', request_id: expect.stringMatching(/^req_/) })
})

it('a report whose creation fails is retried, and has each row once', async () => {
  const { reader } = service.store
  const select = reader.selectFrom.bind(reader) as (table: string) => never
  let pages = 0
  const spy = vi.spyOn(reader, 'selectFrom').mockImplementation(((table: string) => {
    if (table === 'payments') pages += 1
    if (table === 'payments' && pages === 2) throw new Error('The disk is gone')
    return select(table)
  }) as never)
  const asked = create('payments.created.current')
  await expect.poll(() => service.lines.some(line => line.includes('"job_failed"'))).toBe(true)
  const { id } = await service.store.reader
    .selectFrom('reports')
    .select('id')
    .where('file', 'is', null)
    .executeTakeFirstOrThrow()
  expect(await bank.must('GET', `/reports/${id}`)).toMatchObject({ status: 'processing', url: null })
  expect(await bank.rejection('GET', `/reports/${id}/download`)).toBe('INVALID_REQUEST')
  // The service may schedule the retry after it logs the failure, so the clock advances until the report is complete.
  await expect
    .poll(async () => {
      service.advance(1_000)
      return (await bank.must('GET', `/reports/${id}`))['status']
    })
    .toBe('completed')
  expect(await asked).toMatchObject({ id })
  spy.mockRestore()
  const lines = (await text(id)).trimEnd().split('\r\n')
  expect(lines.length).toBeGreaterThan(1_203)
  expect(new Set(lines).size).toBe(lines.length)
  const files = await reader.selectFrom('report_parts').select('file').distinct().where('report_id', '=', id).execute()
  expect(files).toHaveLength(1)
})

describe('a later change', async () => {
  const day = await testService()
  const books = lender(day)
  const make = async (type: ReportType) => (await books.must('POST', '/reports', { type })).id
  const read = async (id: string) => (await day.call('GET', `/reports/${id}/download`)).text
  const listed = async (type: ReportType) =>
    (await read(await make(type)))
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map(line => line.split(',')[0])

  it('changes no existing report, including the list of payments that failed on a day', async () => {
    const source = (await books.source()).id
    const { accounts } = await books.debts()
    const pay = async () =>
      (await books.must('POST', '/payments', { amount: 100, source, destination: accounts[0]!.id, description: 'x' }))
        .id
    const moved = await pay()
    await books.must('POST', `/simulate/payments/${moved}`, { status: 'processing' })
    day.advance(24 * HOUR_MS)
    expect(await listed('payments.failed.previous_day')).toEqual([])
    const waiting = await pay()
    const made = await Promise.all(reportTypes.map(make))
    const before = await Promise.all(made.map(read))
    expect(before[reportTypes.indexOf('ach.pull.upcoming')]).toContain(waiting)
    await books.must('POST', `/simulate/payments/${moved}`, { status: 'failed', error_code: 10001 })
    await books.must('DELETE', `/payments/${waiting}`)
    day.advance(24 * HOUR_MS)
    expect(await listed('payments.failed.previous_day')).toEqual([moved])
    // Adds another event for the payment.
    await day.store.write(async tx => {
      const row = await tx.selectFrom('events').selectAll().where('resource_id', '=', moved).orderBy('id').execute()
      const last = row.at(-1)!
      await tx
        .insertInto('events')
        .values({ ...last, id: `${lowestId('event', day.deps.clock())}A`, created_at: day.deps.clock() })
        .execute()
    })
    day.advance(24 * HOUR_MS)
    expect(await listed('payments.failed.previous_day')).toEqual([])
    expect(await Promise.all(made.map(read))).toEqual(before)
  })
})
