import { MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { someone } from '../../../testing/frame.js'
import { HARBOR, LAKESIDE, linkService } from '../../../testing/linking.js'

const institutions = (person: { data(step: 'link'): { institutions: object[] } }) => person.data('link').institutions

describe('link', () => {
  it('offers a page, finds the accounts of what was linked there, and continues with the choice', async () => {
    const { atLink, browse } = await linkService()
    const { person } = await atLink()
    expect(person.data('link')).toEqual({
      provider: 'Plaid',
      url: expect.stringMatching(/^https:\/\/emulator\.example\/hosted\//),
      expires_at: '2026-03-02T15:30:00.000Z',
      repairs: null,
      waiting: false,
      ending: null,
      institutions: [],
      name: 'Kevin Doyle',
    })
    const { url } = person.data('link')
    await person.send({ action: 'open' })
    expect(person.data('link')).toMatchObject({ url, waiting: true })
    expect(await browse(url)).toBe('http://localhost:4100/linked')
    await person.send({ action: 'check' })
    expect(person.data('link')).toMatchObject({
      waiting: false,
      institutions: [{ name: 'Harbor Credit Union', status: 'ok' }],
    })
    expect(person.data('link').url).not.toBe(url)
    await person.send({ action: 'continue' })
    await person.wait()
    expect(
      person
        .data('selection')
        .accounts.map(({ type }) => type)
        .sort(),
    ).toEqual(['auto_loan', 'credit_card'])
  })

  // kills: aggregator-is-named
  it('begins with documents that name Plaid and no bureau, and keeps the names with the agreement', async () => {
    const { service, openSession } = await linkService()
    const person = await openSession(await someone(service, '+15125550101'))
    const recipients = { service: 'Causeway', aggregator: 'Plaid' }
    expect(person.view.recipients).toEqual(recipients)
    const documents = person.data('consent').documents.map(({ id }) => id)
    expect(documents).toEqual(['esign', 'account_data', 'text_messages', 'privacy'])
    await person.consent()
    const rows = await service.store.reader.selectFrom('consents').select(['document', 'recipients']).execute()
    expect(rows.map(({ document }) => document).sort()).toEqual([...documents].sort())
    for (const row of rows) expect(JSON.parse(row.recipients!)).toEqual(recipients)
  })

  // kills: nothing-linked-finds-nothing
  it('does not continue before anything is linked', async () => {
    const { atLink } = await linkService()
    const { person } = await atLink()
    await person.send({ action: 'continue' })
    expect(person.view).toMatchObject({ step: 'link', errors: [{ field: null, code: 'nothing_linked' }] })
  })

  it('rejects other input', async () => {
    const { atLink } = await linkService()
    const { person } = await atLink()
    for (const input of [{}, { action: 'submit' }, { action: 'constructor' }])
      expect((await person.send(input)).status).toBe(400)
    await person.send({ action: 'repair', institution: 'unknown' })
    expect(person.view.errors).toMatchObject([{ code: 'changed' }])
  })
})

describe('the outcome of a page', () => {
  it('arrives with the webhook, before the frame asks', async () => {
    const { service, atLink, browse, deliver } = await linkService()
    const { person } = await atLink()
    await person.send({ action: 'open' })
    await browse(person.data('link').url)
    expect(await deliver()).toEqual([200])
    await service.settle()
    await person.look()
    expect(institutions(person)).toMatchObject([{ name: 'Harbor Credit Union' }])
  })

  // kills: opened-page-is-followed
  it('arrives without a webhook, and without the frame', async () => {
    const { service, atLink, browse } = await linkService()
    const { person } = await atLink()
    await person.send({ action: 'open' })
    await browse(person.data('link').url)
    service.advance(3_000)
    await service.settle()
    await person.look()
    expect(institutions(person)).toMatchObject([{ name: 'Harbor Credit Union' }])
  })

  it('is the same if the webhook arrives after the person has continued', async () => {
    const { service, atLink, browse, deliver, emulator } = await linkService()
    const { person } = await atLink()
    await person.send({ action: 'open' })
    await browse(person.data('link').url)
    await person.send({ action: 'check' })
    await person.send({ action: 'continue' })
    expect(await deliver()).toEqual([200])
    await service.settle()
    await person.look()
    expect(person.view.step).toBe('selection')
    expect(emulator.items.size).toBeGreaterThan(0)
  })

  it('leads back to the page that the person closed', async () => {
    const { atLink, browse } = await linkService()
    const { person } = await atLink()
    const { url } = person.data('link')
    await person.send({ action: 'open' })
    await browse(url, HARBOR, 'user_good', 'close')
    await person.send({ action: 'check' })
    expect(person.data('link')).toMatchObject({ url, waiting: false, ending: 'closed', institutions: [] })
    await person.send({ action: 'open' })
    expect(person.data('link')).toMatchObject({ waiting: true, ending: null })
    await browse(url)
    await person.send({ action: 'check' })
    expect(institutions(person)).toHaveLength(1)
  })

  it('is another page once the page has expired', async () => {
    const { service, atLink } = await linkService()
    const { person } = await atLink()
    const { url } = person.data('link')
    await person.send({ action: 'open' })
    service.advance(14 * MINUTE_MS)
    await person.look()
    service.advance(14 * MINUTE_MS)
    await person.look()
    service.advance(3 * MINUTE_MS)
    await service.settle()
    await person.look()
    expect(person.data('link')).toMatchObject({ waiting: false, ending: 'expired' })
    expect(person.data('link').url).not.toBe(url)
  })

  it('is read when the person comes back, even if no call said that they opened the page', async () => {
    const { service, atLink, browse, again } = await linkService()
    const { person, entity } = await atLink()
    await browse(person.data('link').url)
    service.advance(1_000)
    expect(institutions(await again(entity))).toMatchObject([{ name: 'Harbor Credit Union' }])
  })

  it('counts for the same person on another device', async () => {
    const { service, atLink, browse, again } = await linkService()
    const { person, entity } = await atLink()
    await person.send({ action: 'open' })
    const { url } = person.data('link')
    service.advance(1_000)
    const other = await again(entity)
    expect(other.data('link')).toMatchObject({ url, waiting: true })
    await browse(url)
    await other.send({ action: 'check' })
    await person.look()
    expect(institutions(person)).toHaveLength(1)
  })
})

describe('an institution', () => {
  it('that needs another sign-in is repaired at the start of the next session', async () => {
    const { service, atLink, browse, emulator, again } = await linkService()
    const { person, entity } = await atLink()
    await browse(person.data('link').url)
    await person.send({ action: 'check' })
    await person.send({ action: 'continue' })
    await person.wait()
    await person.send({ action: 'select', accounts: [person.data('selection').accounts[0]!.id] })
    const [id] = [...emulator.items.keys()].slice(-1)
    emulator.breakItem(id!)
    service.advance(MINUTE_MS)
    const next = await again(entity)
    const { url, repairs } = next.data('link')
    expect(institutions(next)).toMatchObject([{ id: repairs, status: 'repair' }])
    await emulator.answer(new Request(url))
    await emulator.answer(new Request(`${url}/finish`, { method: 'POST' }))
    await next.send({ action: 'check' })
    expect(next.data('link')).toMatchObject({ repairs: null, institutions: [{ status: 'ok' }] })
    await next.send({ action: 'continue' })
    await next.wait()
    expect(next.view.step).toBe('selection')
  })

  it('whose accounts are all in another name has no accounts, and the person can link another one', async () => {
    const { service, atLink, browse } = await linkService()
    const { person } = await atLink()
    await browse(person.data('link').url, HARBOR, 'user_other_name')
    await person.send({ action: 'check' })
    expect(person.data('link')).toMatchObject({ name: 'Kevin Doyle', institutions: [{ status: 'name_mismatch' }] })
    await person.send({ action: 'continue' })
    await person.wait()
    expect(person.view).toMatchObject({ step: 'blocked', data: { reason: 'no_accounts', can_retry: true } })
    service.advance(1_000)
    await person.send({ action: 'retry' })
    await browse(person.data('link').url, LAKESIDE)
    await person.send({ action: 'check' })
    await person.send({ action: 'continue' })
    await person.wait()
    expect(person.data('selection').accounts).toHaveLength(2)
  })
})

describe('a person who has linked institutions', () => {
  it('is not asked again while they work', async () => {
    const { service, atLink, browse, again } = await linkService()
    const { person, entity } = await atLink()
    await browse(person.data('link').url)
    await person.send({ action: 'check' })
    service.advance(1_000)
    await person.send({ action: 'continue' })
    await person.wait()
    service.advance(1_000)
    expect((await again(entity)).view.step).toBe('selection')
  })
})

describe('a search for accounts', () => {
  // kills: nothing-linked-is-an-error
  it('through the API fails with a code of its own until the person has linked an institution', async () => {
    const { service, atLink, browse } = await linkService()
    const { person, entity } = await atLink()
    const connect = async () => {
      const { body } = await service.call('POST', `/entities/${entity}/connect`)
      await service.settle()
      return (await service.call('GET', `/entities/${entity}/connect/${body['id']}`)).body
    }
    expect(await connect()).toMatchObject({
      status: 'failed',
      accounts: null,
      error: { code: 26003, sub_type: 'NO_LINKED_INSTITUTION', message: expect.stringContaining('Create a token') },
    })
    await browse(person.data('link').url)
    await person.send({ action: 'check' })
    expect(await connect()).toMatchObject({ status: 'completed', error: null })
  })

  it('can be followed by another institution, without losing what was found', async () => {
    const { service, atLink, browse } = await linkService()
    const { person } = await atLink()
    await browse(person.data('link').url)
    await person.send({ action: 'check' })
    await person.send({ action: 'continue' })
    await person.wait()
    const found = person.data('selection').accounts.map(({ id }) => id)
    expect(person.view.can_go_back).toBe(true)
    await person.send({ action: 'back' })
    expect(institutions(person)).toHaveLength(1)
    service.advance(1_000)
    await browse(person.data('link').url, LAKESIDE)
    await person.send({ action: 'check' })
    await person.send({ action: 'continue' })
    await person.wait()
    const all = person.data('selection').accounts.map(({ id }) => id)
    expect(all).toEqual(expect.arrayContaining(found))
    expect(all).toHaveLength(4)
  })
})

describe('a provider that does not answer', () => {
  it('blocks the step until it does', async () => {
    const { service, atLink, state, paths } = await linkService()
    state.isDown = true
    const { person } = await service.passing(atLink())
    expect(person.view).toMatchObject({ step: 'blocked', data: { reason: 'unavailable', can_retry: true } })
    state.isDown = false
    await person.send({ action: 'retry' })
    expect(person.view.step).toBe('link')
    state.isDown = true
    await service.passing(person.send({ action: 'check' }))
    expect(person.view).toMatchObject({ step: 'link', errors: [{ code: 'link_unavailable' }] })
    state.isDown = false
    expect(paths.length).toBeGreaterThan(0)
  })
})
