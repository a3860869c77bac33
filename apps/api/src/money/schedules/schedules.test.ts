import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

type Body = Record<string, unknown> & { id: string }
interface Report {
  type: string
  created_at: string
  status: string
}

const service = await testService()
const bank = lender(service)
const base = { types: ['payments.created.previous_day'], delivery_methods: ['webhook'] }
const create = (body: object = {}) => bank.must('POST', '/report_schedules', { ...base, ...body })

/** Creates a service whose clock shows 9 a.m. in Chicago on Monday, March 2, and functions that act in it. */
async function scheduled() {
  const own = await testService()
  const lending = lender(own)
  return {
    own,
    lending,
    create: (body: object = {}) => lending.must('POST', '/report_schedules', { ...base, ...body }),
    /** Advances the team's clock, and waits for the jobs that are then due. */
    advance: async (days: number) => {
      await lending.must('POST', '/simulate/clock', { advance: `P${days}D` })
      await own.settle()
    },
    /** Returns the periods of the team's reports, in order, by type. */
    periods: async () => {
      const rows = await own.store.reader
        .selectFrom('reports')
        .select(['type', 'from_time', 'file'])
        .where('team_id', '=', own.team)
        .orderBy('from_time')
        .orderBy('type')
        .execute()
      return rows.map(({ type, from_time, file }) => ({
        type,
        day: new Date(Number(from_time)).toISOString().slice(0, 10),
        isWritten: file !== null,
      }))
    },
  }
}

describe('a report schedule', () => {
  it('has the documented fields and a default time', async () => {
    const schedule = await create({ types: ['ach.pull.nightly', 'ach.pull.nightly'] })
    expect(schedule).toEqual({
      id: expect.stringMatching(/^rpt_sch_\w{13}$/),
      types: ['ach.pull.nightly'],
      delivery_methods: ['webhook'],
      recipients: null,
      cron: '0 8 * * 1-5',
      status: 'active',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(await bank.must('GET', `/report_schedules/${schedule.id}`)).toEqual(schedule)
    const { data } = (await bank.must('GET', '/report_schedules')) as unknown as { data: Body[] }
    expect(data).toContainEqual(schedule)
  })

  it.each([
    ['no types', { types: [] }],
    ['an unknown type', { types: ['payments'] }],
    ['no delivery method', { delivery_methods: [] }],
    ['a run each minute', { cron: '* * * * *' }],
    ['a day that does not exist', { cron: '0 8 30 2 *' }],
    ['a recipient that is not an email address', { recipients: ['ops'] }],
    ['21 recipients', { recipients: Array.from({ length: 21 }, (_, index) => `ops${index}@example.com`) }],
  ])('with %s is rejected', async (_name, body) => {
    expect(await bank.rejection('POST', '/report_schedules', { ...base, ...body })).toBe('INVALID_REQUEST')
  })

  it('with email is rejected if the operator has no mail server', async () => {
    const email = { delivery_methods: ['email'], recipients: ['ops@northwind.example'] }
    expect(await bank.rejection('POST', '/report_schedules', { ...base, ...email })).toBe('TEAM_CAPABILITY_RESTRICTED')
    const { id } = await create()
    const path = `/report_schedules/${id}/delivery_methods`
    expect(await bank.rejection('POST', path, { delivery_method: 'email' })).toBe('TEAM_CAPABILITY_RESTRICTED')
    expect(await bank.rejection('PUT', path, { delivery_methods: ['webhook', 'email'] })).toBe(
      'TEAM_CAPABILITY_RESTRICTED',
    )
    expect((await bank.must('GET', `/report_schedules/${id}`))['delivery_methods']).toEqual(['webhook'])
  })

  it('changes its types, and keeps at least one', async () => {
    const { id } = await create()
    const path = `/report_schedules/${id}/types`
    expect((await bank.must('POST', path, { type: 'ach.pull.upcoming' }))['types']).toEqual([
      'payments.created.previous_day',
      'ach.pull.upcoming',
    ])
    expect((await bank.must('POST', path, { type: 'ach.pull.upcoming' }))['types']).toHaveLength(2)
    expect((await bank.must('DELETE', `${path}?type=payments.created.previous_day`))['types']).toEqual([
      'ach.pull.upcoming',
    ])
    for (const query of ['?type=ach.pull.nightly', '?type=payments', ''])
      expect(await bank.rejection('DELETE', path + query)).toBe('INVALID_REQUEST')
    expect((await bank.must('PUT', path, { types: ['ach.pull.nightly'] }))['types']).toEqual(['ach.pull.nightly'])
  })

  // kills: last-value-stays
  it('keeps its last type, delivery method and recipient', async () => {
    const { id } = await create({ recipients: ['ops@northwind.example'] })
    for (const query of [
      'types?type=payments.created.previous_day',
      'delivery_methods?delivery_method=webhook',
      'recipients?recipient=ops@northwind.example',
    ])
      expect(await bank.rejection('DELETE', `/report_schedules/${id}/${query}`)).toBe('INVALID_REQUEST')
  })

  it('changes its delivery methods', async () => {
    const { id } = await create()
    const path = `/report_schedules/${id}/delivery_methods`
    for (const [method, body] of [
      ['POST', { delivery_method: 'webhook' }],
      ['PUT', { delivery_methods: ['webhook', 'webhook'] }],
    ] as const)
      expect((await bank.must(method, path, body))['delivery_methods']).toEqual(['webhook'])
    expect(await bank.rejection('DELETE', `${path}?delivery_method=email`)).toBe('INVALID_REQUEST')
  })

  it('changes its recipients, which are stored sealed', async () => {
    const { id } = await create()
    const path = `/report_schedules/${id}/recipients`
    const first = 'quillonia@abernathwaite.example'
    expect((await bank.must('POST', path, { recipient: first }))['recipients']).toEqual([first])
    expect((await bank.must('PUT', path, { recipients: [first, 'ops@northwind.example'] }))['recipients']).toEqual([
      first,
      'ops@northwind.example',
    ])
    const row = await service.store.reader
      .selectFrom('report_schedules')
      .selectAll()
      .where('team_id', '=', service.team)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('abernathwaite')
    const removed = await bank.must('DELETE', `${path}?recipient=ops@northwind.example`)
    expect(removed['recipients']).toEqual([first])
  })

  it('that is deleted is inactive, and can no longer change', async () => {
    const { id } = await create()
    const path = `/report_schedules/${id}`
    expect(await bank.must('DELETE', path)).toEqual({ data: null })
    expect(await bank.must('DELETE', path)).toEqual({ data: null })
    expect((await bank.must('GET', path))['status']).toBe('inactive')
    expect(await bank.rejection('PATCH', path, { cron: '0 6 * * *' })).toBe('INVALID_STATUS')
    expect(await bank.rejection('POST', `${path}/types`, { type: 'ach.pull.nightly' })).toBe('INVALID_STATUS')
  })

  it('of another team is not found, and stays as it is', async () => {
    const schedule = await create()
    const other = lender(service, (await service.anotherTeam()).key)
    const path = `/report_schedules/${schedule.id}`
    for (const [method, end, body] of [
      ['GET', ''],
      ['PATCH', '', { cron: '0 6 * * *' }],
      ['DELETE', ''],
      ['PUT', '/types', { types: ['ach.pull.nightly'] }],
    ] as const)
      expect(await other.rejection(method, path + end, body)).toBe('NOT_FOUND')
    expect(await bank.must('GET', path)).toEqual(schedule)
  })

  it('is rejected beyond 50 active schedules of a team', async () => {
    const { create: add, lending } = await scheduled()
    const first = await add()
    for (let count = 1; count < 50; count += 1) await add()
    expect(await lending.rejection('POST', '/report_schedules', base)).toBe('INVALID_REQUEST')
    await lending.must('DELETE', `/report_schedules/${first.id}`)
    await add()
  })

  it('is unknown to version 2020-12-06', async () => {
    const { status } = await bank.call('GET', '/report_schedules', undefined, { 'service-version': '2020-12-06' })
    expect(status).toBe(404)
  })
})

describe('a run', () => {
  it('creates a report of each type as of its time, with events, once', async () => {
    const { lending, create: add, advance, periods } = await scheduled()
    await add({ types: ['payments.created.previous_day', 'entities.created.previous_day'] })
    expect(await periods()).toEqual([])
    await advance(1)
    const monday = { day: '2026-03-02', isWritten: true }
    expect(await periods()).toEqual([
      { type: 'entities.created.previous_day', ...monday },
      { type: 'payments.created.previous_day', ...monday },
    ])
    const { data } = (await lending.must('GET', '/events?type=report.update')) as unknown as {
      data: { data: Report }[]
    }
    expect(data.map(({ data: report }) => report.status)).toEqual(['completed', 'completed'])
    await advance(1)
    expect(await periods()).toHaveLength(4)
  })

  it('that was missed happens later, as of its own time', async () => {
    const { own, create: add, periods } = await scheduled()
    await add()
    own.advance(8 * DAY_MS)
    await expect
      .poll(async () => {
        await own.settle()
        return periods()
      })
      .toHaveLength(6)
    expect((await periods()).map(({ day }) => day)).toEqual([
      '2026-03-02',
      '2026-03-03',
      '2026-03-04',
      '2026-03-05',
      '2026-03-08',
      '2026-03-09',
    ])
  })

  // kills: outdated-run-creates-nothing
  it('moves with the times of the schedule, and ends with the schedule', async () => {
    const { lending, create: add, advance, periods } = await scheduled()
    const { id } = await add()
    const path = `/report_schedules/${id}`
    await lending.must('PATCH', path, { cron: '0 6 * * *' })
    await lending.must('PATCH', path, { cron: '0 7 * * *' })
    await advance(1)
    expect((await periods()).map(({ day }) => day)).toEqual(['2026-03-02'])
    await lending.must('DELETE', path)
    await advance(3)
    expect(await periods()).toHaveLength(1)
  })

  it('that fails while it is stored is repeated, and creates its reports once', async () => {
    const { own, create: add, periods } = await scheduled()
    await add({ types: ['payments.created.previous_day', 'ach.pull.upcoming'] })
    let failures = 0
    const { enqueue } = own.deps.jobs
    own.deps.jobs.enqueue = async (scope, job) => {
      if (job.kind === 'report_schedule.run' && failures++ < 2) throw new Error('The process ended')
      return enqueue(scope, job)
    }
    own.advance(DAY_MS)
    await expect
      .poll(async () => {
        own.advance(1_000)
        await own.settle()
        return periods()
      })
      .toHaveLength(2)
    own.deps.jobs.enqueue = enqueue
    expect(failures).toBe(3)
  })
})
