import { describe, expect, it } from 'vitest'
import { rejectionOf, resource, speaking, timestamp } from '../../testing/contract/cases.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const kevin = {
  type: 'individual',
  individual: {
    first_name: 'Kevin',
    last_name: 'Doyle',
    phone: '+15125550101',
    email: 'kevin.doyle@example.com',
    dob: '1980-05-05',
  },
}
const empty = { line1: null, line2: null, city: null, state: null, zip: null }
const lists = {
  products: [],
  subscriptions: [],
  available_subscriptions: [],
  restricted_products: ['connect', 'credit_score', 'identity', 'attribute', 'vehicle', 'manual_connect'],
  restricted_subscriptions: ['connect', 'credit_score', 'attribute'],
}
const times = { created_at: expect.stringMatching(timestamp), updated_at: expect.stringMatching(timestamp) }
type Entity = Record<string, never> & { id: string }

describe.each(speaking)('entities, $name', ({ mount, headers }) => {
  const call = (method: string, path: string, body?: unknown) => service.call(method, mount + path, body, headers)
  const must = async (method: string, path: string, body?: unknown) => {
    const reply = await call(method, path, body)
    if (reply.status !== 200) throw new Error(reply.text)
    return resource<Entity>(mount, reply.body)
  }

  it("4.3.1 an entity is returned with all of its resource's fields, in the contract's order", async () => {
    const { id } = await must('POST', '/entities', { type: 'individual', individual: {} })
    const shown = await must('GET', `/entities/${id}`)
    expect(shown).toEqual({
      id: expect.stringMatching(/^ent_\w{13}$/),
      type: 'individual',
      individual: { first_name: null, last_name: null, phone: null, dob: null, email: null, ssn: null, ssn_4: null },
      address: empty,
      verification: {
        identity: {
          verified: false,
          matched: false,
          latest_verification_session: null,
          methods: ['element', 'opal', 'kba'],
        },
        phone: {
          verified: false,
          latest_verification_session: null,
          methods: ['element', 'opal', 'sna', 'sms', 'byo_sms'],
        },
      },
      connect: null,
      credit_score: null,
      attribute: null,
      vehicle: null,
      ...lists,
      status: 'incomplete',
      error: null,
      metadata: null,
      ...times,
    })
  })

  it('4.4.1 an individual is created from names, phone, email and date of birth, and returned as given', async () => {
    const made = await must('POST', '/entities', kevin)
    expect(made).toMatchObject({
      individual: { ...kevin.individual, ssn: null, ssn_4: null },
      status: 'incomplete',
      verification: { identity: { matched: true, verified: false } },
    })
    expect(await must('GET', `/entities/${made.id}`)).toEqual(made)
  })

  it('4.4.2 metadata is returned as given, or null if omitted', async () => {
    const metadata = {
      order: 'A-17',
      nested: { id: 'acc_not_one', list: [1, null, 'ü', { __proto__: 1 }] },
      metadata: {},
    }
    const made = await must('POST', '/entities', { ...kevin, metadata })
    expect(made['metadata']).toEqual(metadata)
    expect((await must('GET', `/entities/${made.id}`))['metadata']).toEqual(metadata)
    expect((await must('POST', '/entities', { ...kevin, metadata: {} }))['metadata']).toEqual({})
    expect((await must('POST', '/entities', { ...kevin, metadata: null }))['metadata']).toBeNull()
    expect((await must('POST', '/entities', kevin))['metadata']).toBeNull()
  })

  it('4.4.3 ssn and ssn_4 are accepted and never shown', async () => {
    const ssn = await must('POST', '/entities', { ...kevin, individual: { ...kevin.individual, ssn: '123456789' } })
    const four = await must('POST', '/entities', { ...kevin, individual: { ...kevin.individual, ssn_4: '6789' } })
    for (const made of [ssn, four]) {
      const shown = await must('GET', `/entities/${made.id}`)
      expect(shown['individual']).toMatchObject({ ssn: null, ssn_4: 'xxxx' })
      expect(JSON.stringify(shown)).not.toContain('6789')
    }
  })

  it('a corporation is active immediately and has every field except individual', async () => {
    const corporation = { name: 'Northwind Lending', dba: null, ein: '12-3456789', owners: [{ first_name: 'Ana' }] }
    const made = await must('POST', '/entities', { type: 'corporation', corporation, address: { city: 'Austin' } })
    expect(made).toEqual({
      id: made.id,
      type: 'corporation',
      corporation,
      address: { ...empty, city: 'Austin' },
      status: 'active',
      verification: null,
      connect: null,
      credit_score: null,
      attribute: null,
      vehicle: null,
      products: [],
      restricted_products: [],
      subscriptions: [],
      available_subscriptions: [],
      restricted_subscriptions: [],
      error: null,
      metadata: null,
      ...times,
    })
  })

  it('accept only phone numbers, states and ZIP codes of the United States, when created, changed or named in a token', async () => {
    const { id } = await must('POST', '/entities', { type: 'individual', individual: {} })
    const ways = (individual: object, address: object) => [
      call('POST', '/entities', { type: 'individual', individual, address }),
      call('PUT', `/entities/${id}`, { individual, address }),
      call('POST', '/elements/token', {
        type: 'connect',
        entity: { type: 'individual', individual, address },
        connect: { products: [] },
      }),
      call('POST', '/entities', { type: 'corporation', corporation: { name: 'Elm', owners: [individual] }, address }),
    ]
    const phones = ['+525512345678', '+19115550101', '+15121550101', '+15121234567', '+151255501012', '+١٥١٢٥٥٥٠١٠١']
    for (const phone of phones)
      for (const reply of await Promise.all(ways({ phone }, {}))) expect([phone, reply.status]).toEqual([phone, 400])
    for (const address of [{ state: 'ZZ' }, { state: 'Texas' }, { zip: '00000' }, { zip: '99' }, { zip: '٧٨٧٠٥' }])
      for (const reply of await Promise.all(ways({}, address))) expect([address, reply.status]).toEqual([address, 400])
    const error = await call('POST', '/entities', { type: 'individual', individual: { phone: '+15121234567' } })
    expect(rejectionOf(error)).toBe('INVALID_ENTITY_PHONE_NUMBER')
    for (const address of [
      { state: 'AE', zip: '09005' },
      { state: 'mp', zip: '96950-1234' },
    ])
      await must('POST', '/entities', { type: 'individual', individual: { phone: '+14165550100' }, address })
    expect(await must('GET', `/entities/${id}`)).toMatchObject({ individual: { phone: null }, address: empty })
  })

  it('an entity can be completed step by step, and existing values stay', async () => {
    const { id } = await must('POST', '/entities', { type: 'individual', individual: { first_name: 'Kevin' } })
    const rejection = async (body: unknown) => rejectionOf(await call('PUT', `/entities/${id}`, body))
    const filled = await must('PUT', `/entities/${id}`, {
      individual: { last_name: 'Doyle', phone: '+15125550101' },
      address: { city: 'Austin' },
    })
    expect(filled).toMatchObject({ verification: { identity: { matched: true } }, status: 'incomplete' })
    expect(await rejection({ individual: { last_name: 'Other' } })).toBe('ENTITY_UPDATE_INVALID')
    expect(await rejection({ address: { city: 'Houston' } })).toBe('ENTITY_UPDATE_INVALID')
    expect(await rejection({ individual: { ssn: '123456789', ssn_4: '6789' } })).toBe('ENTITY_INVALID_SSN')
    await must('PUT', `/entities/${id}`, { individual: { ssn_4: '6789' } })
    expect(await rejection({ individual: { ssn: '123450000' } })).toBe('ENTITY_UPDATE_INVALID')
    expect((await must('PUT', `/entities/${id}`, { metadata: { a: 1 } }))['metadata']).toEqual({ a: 1 })
    expect((await must('PUT', `/entities/${id}`, { individual: { last_name: 'Doyle' } }))['metadata']).toEqual({ a: 1 })
  })
})

describe('entities', () => {
  it('a rejected expansion creates no entity', async () => {
    const before = (await service.call('GET', '/entities')).body['data'] as unknown[]
    const reply = await service.call('POST', '/entities?expand[]=nonsense', kevin, { 'idempotency-key': 'expand' })
    expect([reply.status, reply.headers.get('idem-status')]).toEqual([400, 'stored'])
    expect((await service.call('GET', '/entities')).body['data']).toHaveLength(before.length)
  })

  it('reject individual fields for a corporation, and any change to a disabled entity', async () => {
    const made = await service.call('POST', '/entities', { type: 'corporation', corporation: { name: 'N' } })
    const put = (body: unknown) => service.call('PUT', `/entities/${made.body['id']}`, body)
    expect(rejectionOf(await put({ individual: { first_name: 'A' } }))).toBe('ENTITY_UPDATE_UNSUPPORTED')
    await service.store.write(tx =>
      tx.updateTable('entities').set({ status: 'disabled' }).where('id', '=', made.body['id']).execute(),
    )
    expect(rejectionOf(await put({ metadata: {} }))).toBe('ENTITY_UPDATE_DISABLED')
  })

  it('lists filter by status and type', async () => {
    const other = await service.anotherTeam()
    const headers = { authorization: `Bearer ${other.key}` }
    await service.call('POST', '/entities', kevin, headers)
    await service.call('POST', '/entities', { type: 'corporation', corporation: { name: 'N' } }, headers)
    const count = async (query: string) =>
      ((await service.call('GET', `/entities?${query}`, undefined, headers)).body['data'] as unknown[]).length
    expect(await count('')).toBe(2)
    expect(await count('status=active')).toBe(1)
    expect(await count('status=incomplete&type=individual')).toBe(1)
    expect(await count('status=disabled')).toBe(0)
    expect(await count('something=else')).toBe(2)
  })

  it('are found by their ids, without unknown ones or those of other teams', async () => {
    const headers = { authorization: `Bearer ${(await service.anotherTeam()).key}` }
    const make = async (more?: Record<string, string>) =>
      (await service.call('POST', '/entities', { type: 'corporation', corporation: { name: 'Tideline' } }, more)).body[
        'id'
      ]
    const [first, second, other] = [await make(headers), await make(headers), await make()]
    const found = async (ids: readonly unknown[]) => {
      const { status, body } = await service.call(
        'GET',
        `/entities?${ids.map(id => `id=${id}`).join('&')}`,
        undefined,
        headers,
      )
      return status === 200 ? (body['data'] as unknown as { id: string }[]).map(each => each.id) : status
    }
    expect(await found([first, other, 'ent_0000000000000'])).toEqual([first])
    expect(await found([first, second])).toEqual([second, first])
    expect(await found(Array(101).fill(first))).toEqual([first])
    expect(await found(Array.from({ length: 101 }, (_, index) => `ent_${index}`))).toBe(400)
  })

  it('are found by words in their name, which are not stored in plain text', async () => {
    const headers = { authorization: `Bearer ${(await service.anotherTeam()).key}` }
    const corporation = { name: 'Harbor Lending Group', dba: 'Tideline' }
    const individual = { first_name: 'Mary Ann', last_name: 'Doyle' }
    await service.call('POST', '/entities', { type: 'individual', individual }, headers)
    await service.call('POST', '/entities', { type: 'corporation', corporation }, headers)
    const found = async (name: string) =>
      (
        (await service.call('GET', `/entities?name=${encodeURIComponent(name)}`, undefined, headers)).body[
          'data'
        ] as unknown[]
      ).length
    for (const name of ['doyle', 'Ann Doyle', 'mary doyle ann', 'LENDING', 'tideline'])
      expect(await found(name)).toBe(1)
    for (const name of ['doy', 'Mary Smith', '%']) expect(await found(name)).toBe(0)
    const rows = await service.store.reader.selectFrom('name_words').select('word').execute()
    expect(JSON.stringify(rows).toLowerCase()).not.toContain('doyle')
  })

  it('with the same person in two teams share no value derived from the details', async () => {
    const { key } = await service.anotherTeam()
    const individual = { first_name: 'Wilhelmina', last_name: 'Oakenshield', phone: '+15125550101' }
    const ids = new Set<string>()
    for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
      const made = await service.call('POST', '/entities', { type: 'individual', individual }, headers)
      ids.add(made.body['id'] as string)
    }
    const { reader } = service.store
    const rows = (await reader.selectFrom('entities').selectAll().execute()).filter(({ id }) => ids.has(id))
    const words = (await reader.selectFrom('name_words').selectAll().execute()).filter(row => ids.has(row.entity_id))
    expect([rows.length, words.length]).toEqual([2, 6])
    // The network's reference for a person is not derived from the customer's data.
    const values = rows.flatMap(({ person: _, ...row }) => Object.values(row))
    const long = [...values, ...words.map(({ word }) => word)].filter(value => String(value).length >= 16)
    expect(new Set(long).size).toBe(long.length)
  })

  it('that are corporations accept missing fields and more owners, but no changes', async () => {
    const ana = { first_name: 'Ana', last_name: null }
    const made = await service.call('POST', '/entities', {
      type: 'corporation',
      corporation: { name: 'Northwind', ein: null, owners: [ana] },
    })
    const put = (corporation: unknown) => service.call('PUT', `/entities/${made.body['id']}`, { corporation })
    const owners = [{ first_name: 'Ana', last_name: 'Diaz' }, { first_name: 'Ben' }]
    const filled = await put({ ein: '123456789', owners })
    expect(filled.body['corporation']).toEqual({ name: 'Northwind', dba: null, ein: '123456789', owners })
    for (const wrong of [{ name: 'Other' }, { owners: [owners[1]] }, { owners: [{ first_name: 'Eva' }, owners[1]] }])
      expect(rejectionOf(await put(wrong))).toBe('ENTITY_UPDATE_INVALID')
    expect(rejectionOf(await put({ owners: [...owners, { phone: '12' }] }))).toBe('INVALID_REQUEST')
    const person = await service.call('POST', '/entities', kevin)
    const other = await service.call('PUT', `/entities/${person.body['id']}`, { corporation: { name: 'N' } })
    expect(rejectionOf(other)).toBe('ENTITY_UPDATE_UNSUPPORTED')
  })

  it('an entity is matched after the network recovers, and its POST waits for that', async () => {
    await service.fault('identity', 'failing')
    const made = await service.passing(service.call('POST', '/entities', kevin))
    expect([made.status, made.body['verification']['identity']['matched']]).toEqual([200, true])
  })
})
