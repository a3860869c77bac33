import { describe, expect, it } from 'vitest'
import { HARBOR, LAKESIDE, linkService } from '../../testing/linking.js'

/** Returns a person who shares all accounts of these institutions, and follows the balance of one. */
async function sharingPerson(...institutions: string[]) {
  const world = await linkService()
  const { service } = world
  const { person, entity } = await world.atLink()
  for (const institution of institutions) {
    await world.browse(person.data('link').url, institution)
    await person.send({ action: 'check' })
  }
  await person.send({ action: 'continue' })
  await person.wait()
  await person.send({ action: 'select', accounts: person.data('selection').accounts.map(({ id }) => id) })
  await service.settle()
  const read = async (path: string) => (await service.call('GET', path)).body
  const accounts = (await read(`/accounts?holder_id=${entity}`))['data'] as { id: string; products: string[] }[]
  const card = accounts.find(({ products }) => products.includes('update'))!.id
  await service.call('POST', `/accounts/${card}/subscriptions`, { enroll: 'update' })
  /** Lists the types of the events about a resource, oldest first. */
  const eventsOf = async (id: string) =>
    ((await read(`/events?resource_id=${id}`))['data'] as { type: string }[]).map(({ type }) => type).reverse()
  const count = async (type: string) => (await eventsOf(entity)).filter(each => each === type).length
  return { ...world, entity, card, accounts: accounts.map(({ id }) => id), read, count }
}

const DISCONNECTED = 'entity.institution_disconnected'
const shownAtLink = (person: { data(step: 'link'): { institutions: { name: string }[] } }) =>
  person.data('link').institutions.map(({ name }) => name)
const shown = (person: { data(step: 'manage'): { institutions: { id: string; name: string }[] } }) =>
  person.data('manage').institutions

describe('an institution that the person disconnects on their own page', () => {
  // kills: disconnected-account-has-no-updates
  it('is removed at the provider, and its accounts stay shared without further updates', async () => {
    const { service, entity, card, accounts, read, count, again, emulator } = await sharingPerson(HARBOR)
    const before = await read(`/accounts/${card}`)
    const page = await again(entity, 'manage')
    expect(shown(page)).toEqual([
      { id: expect.stringMatching(/^[0-9a-f]{20}$/), name: 'Harbor Credit Union', status: 'ok' },
    ])
    const { body } = await page.send({ action: 'disconnect', institution: shown(page)[0]!.id })
    expect(body.events).toEqual([
      { type: 'manage.institution.disconnected', timestamp: expect.any(String), data: { entity_id: entity } },
    ])
    expect(shown(page)).toEqual([])
    expect(
      page
        .data('manage')
        .accounts.map(({ id }) => id)
        .sort(),
    ).toEqual([...accounts].sort())
    await service.settle()
    expect(emulator.items.size).toBe(0)
    const after = await read(`/accounts/${card}`)
    expect(after).toMatchObject({ status: 'active', liability: before['liability'], subscriptions: [] })
    for (const product of ['balance', 'update']) expect(after['products']).not.toContain(product)
    expect((await service.call('POST', `/accounts/${card}/balances`)).text).toContain('PRODUCT_UNAVAILABLE')
    expect(await count(DISCONNECTED)).toBe(1)
  })

  // kills: removed-institution-does-not-return
  it('stays disconnected in a session that starts before the provider has answered', async () => {
    const { service, entity, count, again, state, emulator } = await sharingPerson(HARBOR, LAKESIDE)
    const page = await again(entity, 'manage')
    const [harbor] = shown(page)
    state.isDown = true
    await page.send({ action: 'disconnect', institution: harbor!.id })
    await service.settle()
    state.isDown = false
    expect(emulator.items.size).toBe(2)
    service.advance(1_000)
    await again(entity)
    expect(shown(await again(entity, 'manage'))).toMatchObject([{ name: 'Lakeside Loans' }])
    service.advance(60_000)
    await service.settle()
    expect(emulator.items.size).toBe(1)
    expect(await count(DISCONNECTED)).toBe(1)
  })

  // kills: account-is-linked-again
  it('gives the same accounts their updates again once the person links it again', async () => {
    const { service, entity, card, accounts, read, again, browse } = await sharingPerson(HARBOR)
    const page = await again(entity, 'manage')
    await page.send({ action: 'disconnect', institution: shown(page)[0]!.id })
    await service.settle()
    service.advance(1_000)
    const person = await again(entity)
    await browse(person.data('link').url)
    await person.send({ action: 'check' })
    await person.send({ action: 'continue' })
    await person.wait()
    const found = person.data('selection').accounts.map(({ id }) => id)
    expect(found.sort()).toEqual([...accounts].sort())
    await person.send({ action: 'select', accounts: found })
    expect(await read(`/accounts/${card}`)).toMatchObject({ products: expect.arrayContaining(['balance', 'update']) })
    const made = (await service.call('POST', `/accounts/${card}/balances`)).body
    await service.settle()
    expect(await read(`/accounts/${card}/balances/${made['id']}`)).toMatchObject({ status: 'completed' })
  })

  it('is disconnected once, and no other person can name it', async () => {
    const { entity, count, again, atLink } = await sharingPerson(HARBOR)
    const page = await again(entity, 'manage')
    const input = { action: 'disconnect', institution: shown(page)[0]!.id }
    const other = await again((await atLink('+15125550110')).entity, 'manage')
    await other.send(input)
    expect(other.view.errors).toMatchObject([{ code: 'changed' }])
    await page.send(input)
    await page.send(input)
    expect(page.view.errors).toMatchObject([{ code: 'changed' }])
    expect(await count(DISCONNECTED)).toBe(1)
  })
})

describe('an institution that needs another sign-in', () => {
  it('is reported once, as soon as the provider says so, and again if it breaks after the repair', async () => {
    const { service, entity, read, count, again, emulator, deliver } = await sharingPerson(HARBOR, LAKESIDE)
    await deliver()
    const [id] = [...emulator.items.keys()]
    const REPAIR = 'entity.institution_repair_required'
    const breakAndDeliver = async () => {
      emulator.breakItem(id!)
      expect(await deliver()).toEqual([200])
      await service.settle()
    }
    await breakAndDeliver()
    expect(await count(REPAIR)).toBe(1)
    await breakAndDeliver()
    expect(await count(REPAIR)).toBe(1)
    const page = await again(entity, 'manage')
    expect(shown(page)).toMatchObject([{ status: 'repair' }, { status: 'ok' }])
    const [event] = (await read(`/events?resource_id=${entity}&type=${REPAIR}`))['data'] as Record<string, string>[]
    expect(event).toMatchObject({ type: REPAIR, resource_id: entity })
    expect(JSON.stringify(event)).not.toContain(id)

    service.advance(1_000)
    const person = await again(entity)
    const { url } = person.data('link')
    await emulator.answer(new Request(url))
    await emulator.answer(new Request(`${url}/finish`, { method: 'POST' }))
    await person.send({ action: 'check' })
    expect(person.data('link')).toMatchObject({ institutions: [{ status: 'ok' }, { status: 'ok' }] })
    await deliver()
    await service.settle()
    service.advance(1_000)
    await breakAndDeliver()
    expect(await count(REPAIR)).toBe(2)
  })
})

describe('an institution that the person removed at the provider', () => {
  it('is disconnected as soon as the provider says so', async () => {
    const { service, card, read, count, emulator, deliver } = await sharingPerson(HARBOR)
    await deliver()
    emulator.revoke([...emulator.items.keys()][0]!)
    expect(await deliver()).toEqual([200])
    await service.settle()
    expect((await read(`/accounts/${card}`))['products']).not.toContain('balance')
    expect(await count(DISCONNECTED)).toBe(1)
  })

  it('is disconnected when it is next read', async () => {
    const { service, entity, card, read, count, again, emulator } = await sharingPerson(HARBOR)
    emulator.items.clear()
    service.advance(1_000)
    expect((await again(entity)).data('link').institutions).toEqual([])
    expect((await read(`/accounts/${card}`))['products']).not.toContain('balance')
    expect(await count(DISCONNECTED)).toBe(1)
  })
})

describe('two entities with one phone number', () => {
  // kills: entities-share-no-institutions
  it('see only what each has linked, and one that withdraws ends nothing of the other', async () => {
    const { service, entity, card, read, count, atLink, again, browse, emulator } = await sharingPerson(HARBOR)
    const other = await atLink()
    expect(other.person.data('link').institutions).toEqual([])
    await browse(other.person.data('link').url, LAKESIDE)
    await other.person.send({ action: 'check' })
    expect(shownAtLink(other.person)).toEqual(['Lakeside Loans'])
    await other.person.send({ action: 'continue' })
    await other.person.wait()
    const names = other.person.data('selection').accounts.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(0)
    await service.call('POST', `/entities/${other.entity}/consent`, {
      type: 'withdraw',
      reason: 'entity_withdrew_consent',
    })
    await service.settle()
    expect(emulator.items.size).toBe(1)
    service.advance(1_000)
    expect(shown(await again(entity, 'manage'))).toMatchObject([{ name: 'Harbor Credit Union', status: 'ok' }])
    expect((await read(`/accounts/${card}`))['products']).toContain('balance')
    expect(await count(DISCONNECTED)).toBe(0)
  })
})
