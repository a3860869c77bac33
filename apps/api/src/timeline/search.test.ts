import { expect, it } from 'vitest'
import { lender } from '../testing/money.js'
import { testService } from '../testing/service.js'

/** Other notations of one number. */
const PHONES = [
  '512\u2011555\u20110123',
  '512–555–0123',
  '\u202a+1 512 555 0123\u202c',
  'tel:+1-512-555-0123',
  '512/555/0123',
  '1.512.555.0123',
  '(512) 555-0123 ext 1',
  '512 555 0123 x12',
  '５１２５５５０１２３',
  '٥١٢٥٥٥٠١٢٣',
  '001 512 555 0123',
]

interface Hit {
  kind: string
  id: string
  title: string
  hint: string | null
  status: string | null
  created_at: string
}

const service = await testService()
const ana = await entity('Ana', 'Reyes', '+15125550123')
const namesake = await entity('Ana', 'Stone', '+15125559123')
const { accounts } = await lender(service).debts()
const debt: { id: string; holder_id: string; liability: { mask: string } } = accounts[0] as unknown as typeof debt

async function entity(first_name: string, last_name: string, phone: string, key = service.key): Promise<string> {
  const body = { type: 'individual', individual: { first_name, last_name, phone } }
  const made = await service.call('POST', '/entities', body, { authorization: `Bearer ${key}` })
  expect(made.status, made.text).toBe(200)
  return made.body['id'] as string
}

async function search(q: string, kinds?: string[], headers: Record<string, string> = {}): Promise<Hit[]> {
  const reply = await service.call('POST', '/search', { q, ...(kinds && { kinds }) }, headers)
  expect(reply.status, reply.text).toBe(200)
  return reply.body['data'] as unknown as Hit[]
}
const ids = async (q: string) => (await search(q)).map(each => each.id)

it('finds people by whole words of their name, newest first, ignoring case', async () => {
  expect(await search('ana reyes')).toEqual([
    {
      kind: 'person',
      id: ana,
      title: 'Ana Reyes',
      hint: 'Phone ending in 0123',
      status: 'incomplete',
      created_at: (await service.call('GET', `/entities/${ana}`)).body['created_at'],
    },
  ])
  expect(await ids('  ANA ')).toEqual([namesake, ana])
  expect(await ids('an')).toEqual([])
  expect(await ids('ana nobody')).toEqual([])
})

it('finds people by phone number, by its last four digits, and by those digits with a name', async () => {
  expect(await ids('0123')).toEqual([ana])
  expect(await ids('ana 9123')).toEqual([namesake])
  expect(await ids('stone 0123')).toEqual([])
  for (const phone of ['+15125550123', '(512) 555-0123', '512 555 0123']) expect(await ids(phone)).toEqual([ana])
  for (const phone of PHONES) expect([phone, await ids(phone)]).toEqual([phone, [ana]])
  expect(await ids('512 555 9999')).toEqual([])
  // If partial numbers matched, a user who sees the last four digits could guess the other digits one at a time.
  for (const part of ['5550123', '25550123', '125550123', '+1 555 0123']) expect(await ids(part)).toEqual([])
})

it('finds a person by a phone number that was added later', async () => {
  const individual = { first_name: 'Cora', last_name: 'Lane' }
  const made = await service.call('POST', '/entities', { type: 'individual', individual })
  const id = made.body['id'] as string
  expect(await ids('7777')).toEqual([])
  await service.call('PUT', `/entities/${id}`, { individual: { phone: '+15125557777' } })
  expect([await ids('7777'), await ids('cora')]).toEqual([[id], [id]])
})

it('no longer finds a person who withdrew consent', async () => {
  const id = await entity('Dora', 'Quill', '+15125556666')
  const withdrawal = { type: 'withdraw', reason: 'entity_withdrew_consent' }
  expect((await service.call('POST', `/entities/${id}/consent`, withdrawal)).status).toBe(200)
  expect([await ids('dora'), await ids('6666')]).toEqual([[], []])
})

it('finds accounts by their last four digits', async () => {
  const { mask } = debt.liability
  const found = await search(mask)
  const holder = await service.call('GET', `/entities/${debt.holder_id}`)
  const { first_name, last_name } = holder.body['individual'] as Record<string, string>
  const hint = `${first_name} ${last_name} · Ending in ${mask}`
  expect(found.find(each => each.id === debt.id)).toMatchObject({ kind: 'account', hint })
  expect(await search(mask, ['person'])).toEqual([])
})

it('finds any id of the requested kinds', async () => {
  const bank = lender(service)
  const source = (await bank.source()).id
  const payment = await bank.must('POST', '/payments', {
    amount: 5_000,
    source,
    destination: debt.id,
    description: 'x',
  })
  const webhook = await bank.must('POST', '/webhooks', { type: 'payment.create', url: 'https://lender.example/hooks' })
  const events = (await bank.must('GET', '/events?page_limit=1'))['data'] as { id: string; type: string }[]
  await service.deps.requests.flush()
  const requests = (await bank.must('GET', '/requests?page_limit=1'))['data'] as { id: string }[]
  const { created_at } = payment as unknown as { created_at: string }
  expect(await search(payment.id)).toEqual([
    { kind: 'payment', id: payment.id, title: '$50.00', hint: debt.id, status: 'pending', created_at },
  ])
  for (const { id } of [webhook, events[0]!, requests[0]!, debt, { id: ana }])
    expect((await search(id))[0]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(await search(webhook.id)).toMatchObject([{ kind: 'webhook', hint: 'lender.example', status: 'active' }])
  expect(await search(events[0]!.id)).toMatchObject([{ kind: 'event', title: events[0]!.type }])
  expect(await search(requests[0]!.id)).toMatchObject([{ kind: 'request' }])
  expect(await search(debt.id)).toMatchObject([{ kind: 'account' }])
  expect(await search(ana)).toMatchObject([{ kind: 'person' }])
  expect(await search(ana, ['payment'])).toEqual([])
  expect(await search('pmt_0000000000000')).toEqual([])
})

it('does not find accounts that await consent, or deleted webhooks', async () => {
  const timeline = async () => (await service.call('GET', `/timeline?about=${debt.id}`)).status
  const events = async () => (await service.call('GET', `/timeline?about=${debt.holder_id}&kinds[]=event`)).text
  const awaits = (awaits_consent: string | null) =>
    service.store.write(tx => tx.updateTable('accounts').set({ awaits_consent }).where('id', '=', debt.id).execute())
  await awaits('cxn_0000000000000')
  expect(await ids(debt.id)).toEqual([])
  expect(await ids(debt.liability.mask)).not.toContain(debt.id)
  expect(await timeline()).toBe(404)
  expect(await events()).not.toContain(debt.id)
  await awaits(null)
  expect(await ids(debt.id)).toEqual([debt.id])
  expect(await timeline()).toBe(200)
  expect(await events()).toContain(debt.id)
  const hook = { type: 'payment.create', url: 'https://lender.example/gone' }
  const { id } = await lender(service).must('POST', '/webhooks', hook)
  expect(await ids(id)).toEqual([id])
  await service.call('DELETE', `/webhooks/${id}`)
  expect(await ids(id)).toEqual([])
})

it('finds nothing that belongs to another team', async () => {
  const { key } = await service.anotherTeam()
  const own = await entity('Ana', 'Other', '+15125550123', key)
  const headers = { authorization: `Bearer ${key}` }
  for (const q of ['ana', '0123', '+15125550123'])
    expect((await search(q, undefined, headers)).map(each => each.id)).toEqual([own])
  for (const q of [ana, debt.id, debt.liability.mask]) expect(await search(q, undefined, headers)).toEqual([])
})

it('changes nothing, stores no response for a key, and leaves no text in the request log', async () => {
  const headers = { 'idempotency-key': 'search-1' }
  const replies = await Promise.all(['ana', 'stone'].map(q => service.call('POST', '/search', { q }, headers)))
  expect(replies.map(each => [each.status, each.headers.get('idem-status')])).toEqual([
    [200, 'bypassed'],
    [200, 'bypassed'],
  ])
  await service.deps.requests.flush()
  const rows = await service.store.reader
    .selectFrom('requests')
    .select(['request', 'response', 'resource_ids'])
    .where('team_id', '=', service.team)
    .where('route', '=', '/search')
    .execute()
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row).toEqual({ request: null, response: null, resource_ids: '[]' })
})

it('finds people by other spellings of their name, in a search and in the list of entities', async () => {
  const maria = await entity('María-José', 'O’Brien Jr.', '+15125553456')
  const li = await entity('小龙', '李', '+15125553457')
  const list = async (name: string) => {
    const reply = await service.call('GET', `/entities?name=${encodeURIComponent(name)}`)
    return (reply.body as { data: { id: string }[] }).data.map(each => each.id)
  }
  for (const [query, id] of [
    ['maria jose obrien', maria],
    ["MARÍAJOSÉ O'BRIEN, III", maria],
    ['O Brien', maria],
    ['李', li],
    ['李小龙', li],
  ] as const) {
    expect([query, await ids(query)]).toEqual([query, [id]])
    expect([query, await list(query)]).toEqual([query, [id]])
  }
  for (const query of ['-', 'maria nobody']) {
    expect([query, await ids(query)]).toEqual([query, []])
    expect([query, await list(query)]).toEqual([query, []])
  }
})

it('finds companies by four digits in their names', async () => {
  const company = async (name: string) => {
    const made = await service.call('POST', '/entities', { type: 'corporation', corporation: { name } })
    return made.body['id'] as string
  }
  const studio = await company('Studio 1234')
  const year = await company('1901')
  const arabic = await company('متجر ١٩٠٢')
  const person = await entity('Nora', 'Vale', '+15125551901')
  for (const [query, found] of [
    ['studio 1234', [studio]],
    ['Studio １２３４', [studio]],
    ['1901', [person, year]],
    ['nora 1901', [person]],
    ['1902', [arabic]],
    ['studio 1901', []],
  ] as const)
    expect([query, await ids(query)]).toEqual([query, found])
})

it('rejects an empty search text', async () => {
  const reply = await service.call('POST', '/search', { q: '  ' })
  expect(reply.status).toBe(400)
})
