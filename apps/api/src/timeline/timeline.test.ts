import { expect, it } from 'vitest'
import { StoreFault } from '../platform/db/fault.js'
import { NEWEST, rejectionOf } from '../testing/contract/cases.js'
import { atSelection, confirmed, fundingAccount, LOAN, Person, someone, transferToken } from '../testing/frame.js'
import { testService } from '../testing/service.js'

interface Moment {
  changes?: unknown
  at: string
  kind: string
  id: string
  what: string
  status: string | number | null
  actor: string | null
  amount: number | null
  refs: string[]
  finished_at?: string | null
}

let entity = ''
let session = ''

const service = await testService()
const source = await fundingAccount(service)
await service.call('POST', '/webhooks', { type: 'payment.create', url: 'http://127.0.0.1:1/hook' })
;({ session, entity } = await confirmed(service, '+15125550100'))
await service.call('POST', `/opal/sessions/${session}`, { action: 'release_payments', data: { source } })
const { body } = await service.call('GET', `/opal/sessions/${session}`)
const payment = Object.values(body['data']['bt']['payment_ids'] as Record<string, string>)[0]!
service.advance(1_000)
await service.call('POST', `/simulate/payments/${payment}`, { status: 'processing' })
service.advance(1_000)
await service.call('GET', `/payments/${payment}`)
await service.deps.requests.flush()

const read = async (query: string) => {
  const reply = await service.call('GET', `/timeline?${query}`, undefined, { 'service-version': NEWEST })
  expect(reply.status, reply.text).toBe(200)
  return reply.body as unknown as { data: Moment[]; missing: string[]; next_cursor: string | null }
}

it('for a payment contains its requests, events, deliveries and postings, newest first', async () => {
  const { data, missing, next_cursor } = await read(`about=${payment}`)
  expect([missing, next_cursor]).toEqual([[], null])
  expect(data.map(each => each.at)).toEqual(
    data
      .map(each => each.at)
      .toSorted()
      .toReversed(),
  )
  expect(data[0]).toMatchObject({ kind: 'request', what: 'GET /payments/:pmt_id', status: 200, refs: [payment] })
  expect(data.find(each => each.what === 'payment.create')).toMatchObject({ refs: [payment] })
  expect(data.find(each => each.kind === 'delivery')).toMatchObject({
    what: 'payment.create',
    status: 'pending',
    host: '127.0.0.1:1',
    finished_at: null,
  })
  const posted = data.filter(each => each.kind === 'posting')
  expect(posted.map(each => each.what)).toEqual(['processing', 'processing'])
  expect(posted.reduce((sum, each) => sum + each.amount!, 0)).toBe(0)
})

it('for a person contains the steps of their sessions and the history of their payments', async () => {
  const { data } = await read(`about=${entity}`)
  expect(data.some(each => each.kind === 'person' && each.refs.includes(session))).toBe(true)
  expect(data.some(each => each.what === 'payment.create')).toBe(true)
  const steps = data.filter(each => each.what.endsWith('.step.started')).map(each => each.status)
  expect(steps).toContain('consent')
  expect(JSON.stringify(data)).not.toContain('5125550100')
})

it('for a person contains each wrong attempt with its step and account, and nothing that the person typed', async () => {
  const { person, entity, session } = await atSelection(service, '+15125550108')
  const [needs] = person.data('selection').accounts
  await person.send({ action: 'select', accounts: [needs!.id] })
  service.advance(60_000)
  await person.send({ action: 'submit', number: '4000 0000 0002 8045' })
  const { data } = await read(`about=${entity}&kinds[]=person`)
  expect(data.filter(each => each.what === 'opal.attempt.failed')).toMatchObject([
    { at: new Date(service.deps.clock()).toISOString(), status: 'number', actor: null, refs: [session, needs!.id] },
  ])
  expect(JSON.stringify(data)).not.toMatch(/4000|8045/)
})

it('for a person contains a wrong code', async () => {
  const entity = await someone(service, '+15125550101')
  const { element_token } = await transferToken(service, entity, LOAN)
  const person = await Person.arrive(service, element_token)
  await person.consent()
  await person.send({ action: 'verify', code: '000000' })
  const { data } = await read(`about=${entity}&kinds[]=person`)
  expect(data.filter(each => each.what === 'opal.attempt.failed').map(each => each.status)).toEqual(['code'])
  // A failed attempt adds nothing to the host page's events or the token's results.
  expect(JSON.stringify(person.view.events)).not.toContain('attempt.failed')
  const results = await service.call('GET', `/elements/token/${element_token}/results`)
  expect(results.text).toContain('identity_verification.step.started')
  expect(results.text).not.toContain('attempt.failed')
})

it('for a request contains the events that it caused, and nothing if the request was rejected', async () => {
  const change = await service.call('PUT', `/entities/${entity}`, { metadata: { changed: true } })
  const caused = await read(`about=${change.headers.get('request-id')}`)
  expect(caused.data.map(({ kind, what, refs }) => [kind, what, refs])).toEqual([['event', 'entity.update', [entity]]])
  expect(caused.data[0]?.changes).toEqual([{ path: 'metadata.changed', before: null, after: true }])
  const refused = await service.call('POST', '/payments', { amount: 1 })
  expect(refused.status).toBe(400)
  expect((await read(`about=${refused.headers.get('request-id')}`)).data).toEqual([])
})

it('continues after the previous page, and contains only the requested kinds', async () => {
  const whole = await read(`about=${entity}&kinds[]=event&kinds[]=posting`)
  expect(new Set(whole.data.map(each => each.kind))).toEqual(new Set(['event', 'posting']))
  const first = await read(`about=${entity}&kinds[]=event&kinds[]=posting&page_limit=1`)
  const paged = [...first.data]
  for (let cursor = first.next_cursor; cursor !== null; ) {
    const next = await read(`about=${entity}&kinds[]=event&kinds[]=posting&page_limit=1&page_cursor=${cursor}`)
    paged.push(...next.data)
    cursor = next.next_cursor
  }
  expect(paged).toEqual(whole.data)
})

it('finds a delivery behind many later events, and returns a cursor until the timeline ends', async () => {
  for (let each = 0; each < 30; each += 1) {
    service.advance(1)
    const metadata = { each }
    expect((await service.call('PUT', `/entities/${entity}`, { metadata })).status).toBe(200)
  }
  await service.deps.requests.flush()
  const pages = async (limit: number, query: string) => {
    const found: Moment[] = []
    for (let next = ''; ; ) {
      const { data, next_cursor } = await read(`about=${entity}&page_limit=${limit}${query}${next}`)
      found.push(...data)
      if (next_cursor === null) return found
      next = `&page_cursor=${next_cursor}`
    }
  }
  expect((await pages(1, '&kinds[]=delivery')).map(each => each.what)).toEqual(['payment.create'])
  expect(await pages(7, '')).toEqual(await pages(100, ''))
})

it('shows the time at which a delivery ended, which is later than its event', async () => {
  const { data } = (await service.call('GET', '/webhooks')).body as unknown as { data: { id: string }[] }
  service.advance(60_000)
  const off = await service.call('PATCH', `/webhooks/${data[0]?.id}`, { status: 'disabled' })
  expect(off.status).toBe(200)
  const delivery = (await read(`about=${payment}&kinds[]=delivery`)).data[0]!
  expect(delivery).toMatchObject({ status: 'canceled', finished_at: off.body['updated_at'] })
  expect(Date.parse(delivery.finished_at!) - Date.parse(delivery.at)).toBeGreaterThanOrEqual(60_000)
})

it('is visible to a single team, and rejects a request that names no resource', async () => {
  const other = { authorization: `Bearer ${(await service.anotherTeam()).key}` }
  for (const about of [payment, entity, session])
    expect((await service.call('GET', `/timeline?about=${about}`, undefined, other)).status).toBe(404)
  for (const [query, subType] of [
    ['', 'INVALID_REQUEST'],
    ['about=pmt_4kYq8ZbT1mXcX', 'NOT_FOUND'],
    [`about=${payment}&kinds=rail`, 'INVALID_REQUEST'],
    [`about=${payment}&page_cursor=now`, 'INVALID_SEARCH_PARAMETERS'],
  ])
    expect(rejectionOf(await service.call('GET', `/timeline?${query}`))).toBe(subType)
  for (const query of ['', '?about=', '?kinds=event']) {
    const { text } = await service.call('GET', `/timeline${query}`)
    expect(text).toContain('about is required. Send the id of a resource.')
  }
})

it('lists the kinds that are unavailable, and shows the others', async () => {
  const { reader } = service.store
  const selectFrom = reader.selectFrom.bind(reader)
  const broken = (table: string) => {
    if (table === 'ledger') throw new StoreFault('TIMEOUT', null)
    return selectFrom(table as 'payments')
  }
  Object.assign(reader, { selectFrom: broken })
  const { data, missing } = await read(`about=${payment}`)
  Object.assign(reader, { selectFrom })
  expect(missing).toEqual(['posting'])
  expect(data.length).toBeGreaterThan(0)
})
