import type { Ports } from '@causeway/connector/ports/ports'
import { describe, expect, it } from 'vitest'
import { arrive, LOAN, Person, someone, transferToken, verify } from '../../../testing/frame.js'
import { type TestOptions, testService } from '../../../testing/service.js'
import { createFrame } from '../../frame/app.js'
import { noAssets } from '../../frame/assets.js'

const service = await testService()

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])
describe('consent', () => {
  it('requires all documents in their current versions, and stores the agreements with their language and recipients', async () => {
    const person = await arrive(service, '+15125550101')
    const { documents } = person.data('consent')
    expect(documents.map(document => document.id)).toEqual([
      'esign',
      'account_data',
      'credit_report',
      'text_messages',
      'privacy',
    ])
    for (const given of [[], documents.slice(1), documents.map(document => ({ ...document, version: '1999-01-01' }))]) {
      await person.send({ action: 'accept', documents: given, locale: 'en' })
      expect([person.view.step, codes(person)]).toEqual(['consent', [['documents', 'changed']]])
    }
    await person.send({ action: 'accept', documents, locale: 'es' })
    expect(person.view.step).toBe('code')
    const kept = await service.store.reader
      .selectFrom('consents')
      .selectAll()
      .where('session_id', '=', person.view.session_id)
      .execute()
    const recipients = JSON.stringify({ service: 'Causeway', bureau: 'Sandbox Credit Bureau' })
    expect(kept.map(row => [row.document, row.version, row.locale, row.recipients])).toEqual(
      documents.map(document => [document.id, document.version, 'es', recipients]),
    )
  })
})

describe('the recipients', () => {
  it('are named from the first page on: the company that runs the service, and the bureau if the network names one', async () => {
    const bureau = (name: string | null) => (ports: Ports) => ({
      ...ports,
      network: { ...ports.network, bureau: () => name && { name, phone: null, url: null } },
    })
    for (const [options, recipients] of [
      [{}, { service: 'Causeway', bureau: 'Sandbox Credit Bureau' }],
      [
        { serviceName: 'Harbor Data', ports: bureau('Ninth Bureau') },
        { service: 'Harbor Data', bureau: 'Ninth Bureau' },
      ],
      [{ ports: bureau(null) }, { service: 'Causeway', bureau: null }],
    ] as const) {
      const process = await service.again(options as TestOptions)
      const { element_token } = await transferToken(process, await someone(process, '+15125550101'), LOAN)
      const app = createFrame(process.deps, { ...noAssets, shell: '<meta name="causeway-view" content="" />' })
      const page = await app.fetch(new Request(`http://localhost:4100/e/${element_token.slice(-49, -33)}`))
      const content = /content="([^"]*)"/.exec(await page.text())![1]!
      expect(JSON.parse(content.replaceAll('&quot;', '"')).recipients).toEqual(recipients)
      const { view } = await Person.arrive(process, element_token)
      expect([view.step, view.recipients]).toEqual(['consent', recipients])
    }
  })

  // kills: no-bureau-is-not-named
  it('include no bureau if the network queries none, and nobody agrees to a credit check', async () => {
    const process = await service.again({
      ports: ports => ({ ...ports, network: { ...ports.network, bureau: () => undefined } }),
    })
    const entity = await someone(process, '+15125550101')
    const { element_token } = await transferToken(process, entity, LOAN)
    const app = createFrame(process.deps, { ...noAssets, shell: '<meta name="causeway-view" content="" />' })
    const page = await app.fetch(new Request(`http://localhost:4100/e/${element_token.slice(-49, -33)}`))
    const first = JSON.parse(/content="([^"]*)"/.exec(await page.text())![1]!.replaceAll('&quot;', '"'))
    const person = await Person.arrive(process, element_token)
    const expected = ['esign', 'account_data', 'text_messages', 'privacy']
    for (const view of [first, person.view]) {
      expect(view.recipients).toEqual({ service: 'Causeway' })
      expect(view.data.documents.map(({ id }: { id: string }) => id)).toEqual(expected)
    }
    await person.consent()
    expect(person.view.step).toBe('code')
    const rows = await service.store.reader
      .selectFrom('consents')
      .select(['document', 'recipients'])
      .where('team_id', '=', service.team)
      .where('entity_id', '=', entity)
      .execute()
    expect(rows.map(row => row.document).sort()).toEqual([...expected].sort())
    for (const { recipients } of rows) expect(JSON.parse(recipients!)).toEqual({ service: 'Causeway' })
    await person.arriveAtAccounts()
    expect(person.view.recipients).toEqual({ service: 'Causeway' })
  })

  // kills: agreed-recipients-were-shown
  it('must be those of the session, even if another process rendered the page', async () => {
    const renamed = await service.again({ serviceName: 'Harbor Data' })
    const { element_token } = await transferToken(service, await someone(service, '+15125550101'), LOAN)
    const person = await Person.arrive(renamed, element_token)
    const { documents } = person.data('consent')
    const accept = { action: 'accept', documents, locale: 'en' }
    const bureau = 'Sandbox Credit Bureau'
    for (const recipients of [
      { service: 'Causeway', bureau },
      { service: 'Harbor Data', bureau: null },
    ]) {
      await person.send({ ...accept, recipients })
      expect([person.view.step, codes(person)]).toEqual(['consent', [['documents', 'changed']]])
    }
    await person.send({ ...accept, recipients: { bureau, service: 'Harbor Data' } })
    expect(person.view.step).toBe('code')
  })

  it('are stored when the person agrees, if an earlier version redeemed the token', async () => {
    const person = await arrive(service, '+15125550101')
    const { session_id } = person.view
    const stored = () =>
      service.store.reader
        .selectFrom('sessions')
        .select('progress')
        .where('id', '=', session_id)
        .executeTakeFirstOrThrow()
    const { recipients, ...progress } = JSON.parse((await stored()).progress)
    const earlier = JSON.stringify(progress)
    await service.store.write(tx =>
      tx.updateTable('sessions').set({ progress: earlier }).where('id', '=', session_id).execute(),
    )
    await person.consent()
    expect(recipients).toEqual({ service: 'Causeway', bureau: 'Sandbox Credit Bureau' })
    expect(JSON.parse((await stored()).progress).recipients).toEqual(recipients)
    const rows = await service.store.reader
      .selectFrom('consents')
      .select('recipients')
      .where('session_id', '=', session_id)
      .execute()
    expect(rows.map(row => JSON.parse(row.recipients!))).toEqual(rows.map(() => recipients))
    expect(rows).not.toEqual([])
  })
})

describe('an agreement from an earlier session', () => {
  const every = ['esign', 'account_data', 'credit_report', 'text_messages', 'privacy']
  const mint = async (mode: string, entity_id: string, more: object = {}) => {
    const config = mode === 'card_connect' ? { selection_type: 'single' } : {}
    const made = await service.call('POST', '/opal/token', { mode, entity_id, [mode]: config, ...more })
    if (made.status !== 200) throw new Error(made.text)
    return (made.body['data'] as { token: string }).token
  }
  const open = async (mode: string, entity: string, more: object = {}) =>
    Person.arrive(service, await mint(mode, entity, more))
  /** Returns the documents that a session asks the person to accept, and those that it carries over. */
  const asked = (person: Person) => {
    const { documents, carried } = person.data('consent')
    return [documents, carried].map(list => list.map(({ id }) => id))
  }
  /** Takes a person through a whole session, and returns their entity and the session's agreements. */
  async function finished(mode = 'identity_verification', entity?: string, more: object = {}) {
    const id = entity ?? (await someone(service, '+15121231111'))
    const person = await verify(service, await open(mode, id, more))
    if (person.view.step === 'selection') await choose(person)
    return { entity: id, agreed: person.data('done').agreed }
  }
  const choose = async (person: Person) => {
    const { accounts } = person.data('selection')
    await person.send({ action: 'select', accounts: [accounts.find(({ status }) => status === 'ready')!.id] })
    return person
  }

  it('is carried over to the next one, which asks for nothing that is not new and dates it in the receipt', async () => {
    const { entity, agreed } = await finished('connect')
    service.advance(60_000)
    const dates = Object.fromEntries(agreed.map(({ id, at }) => [id, at]))
    const person = await open('identity_verification', entity)
    const after = person.data('done').agreed
    expect(after.map(({ id, at, earlier }) => [id, at, earlier])).toEqual(
      ['esign', 'text_messages', 'privacy'].map(id => [id, dates[id], true]),
    )
    // A carried-over agreement is not recorded again, so the third session still finds it with its original date.
    const third = (await choose(await open('connect', entity))).data('done').agreed
    expect(third.map(({ id, at }) => [id, at])).toEqual(every.map(id => [id, dates[id]]))
    const events = await service.store.reader
      .selectFrom('session_events')
      .select('type')
      .where('session_id', '=', person.view.session_id)
      .orderBy('id')
      .execute()
    expect(events.map(({ type }) => type)).toEqual([
      'opal.session.started',
      'identity_verification.flow.started',
      'identity_verification.step.started',
      'identity_verification.step.completed',
      'identity_verification.identity.completed',
      'identity_verification.flow.completed',
      'opal.session.completed',
    ])
  })

  it('leaves only new documents to agree to', async () => {
    const { entity } = await finished()
    const person = await open('card_connect', entity)
    expect(asked(person)).toEqual([
      ['account_data', 'credit_report'],
      ['esign', 'text_messages', 'privacy'],
    ])
    await person.send({ action: 'accept', documents: [], locale: 'en' })
    expect([person.view.step, codes(person)]).toEqual(['consent', [['documents', 'changed']]])
    await person.send({ action: 'accept', documents: person.data('consent').documents, locale: 'en' })
    expect(person.view.step).not.toBe('consent')
  })

  it('counts even if the page was drawn before it and lists every document', async () => {
    const entity = await someone(service, '+15121231111')
    const token = await mint('identity_verification', entity)
    const app = createFrame(service.deps, { ...noAssets, shell: '<meta name="causeway-view" content="" />' })
    const page = await (await app.fetch(new Request(`http://localhost:4100/e/${token.slice(-49, -33)}`))).text()
    const { agreed } = await finished('identity_verification', entity)
    service.advance(60_000)
    const { documents, carried } = JSON.parse(/content="([^"]*)"/.exec(page)![1]!.replaceAll('&quot;', '"')).data
    expect([documents.map(({ id }: { id: string }) => id), carried]).toEqual([
      ['esign', 'text_messages', 'privacy'],
      [],
    ])
    const person = await Person.arrive(service, token)
    await person.send({ action: 'accept', documents, locale: 'en' }, 'consent')
    const after = person.data('done').agreed
    expect(after.map(({ earlier, at }) => [earlier, at])).toEqual(agreed.map(({ at }) => [true, at]))
  })

  // kills: agreements-need-phone-proof
  it('is not revealed to a bearer that did not verify the phone, and does not count for that bearer', async () => {
    const { entity } = await finished()
    const person = await open('identity_verification', entity, { phone_proof_days: 0 })
    expect(asked(person)).toEqual([['esign', 'text_messages', 'privacy'], []])
    await person.send({ action: 'accept', documents: [], locale: 'en' })
    expect(codes(person)).toEqual([['documents', 'changed']])
  })

  it("does not count if its session never confirmed the person's identity", async () => {
    const entity = await someone(service, '+15121231111')
    await (await open('card_connect', entity)).consent()
    await finished('identity_verification', entity)
    expect(asked(await open('card_connect', entity))[1]).toEqual(['esign', 'text_messages', 'privacy'])
  })

  // kills: agreements-under-own-name
  it('does not count for another version of the document, under another name, or after a year', async () => {
    const { entity } = await finished()
    const set = (version: string) =>
      service.store.write(tx =>
        tx
          .updateTable('consents')
          .set({ version })
          .where('entity_id', '=', entity)
          .where('document', '=', 'text_messages')
          .execute(),
      )
    const { version } = (await open('connect', entity))
      .data('consent')
      .carried.find(({ id }) => id === 'text_messages')!
    await set('2020-01-01')
    expect(asked(await open('connect', entity))[1]).toEqual(['esign', 'privacy'])
    await set(version)
    expect(asked(await open('connect', entity, { team_name: 'Another Lender' }))[1]).toEqual([])
    const year = service.deps.clock() - 366 * 86_400_000
    await service.store.write(tx =>
      tx.updateTable('consents').set({ created_at: year }).where('entity_id', '=', entity).execute(),
    )
    expect(asked(await open('connect', entity))[1]).toEqual([])
  })

  it('keeps the names of its recipients, and does not count under other names', async () => {
    const { entity } = await finished()
    const token = await mint('connect', entity)
    const { view } = await Person.arrive(service, token)
    const before = view.recipients
    const renamed = await service.again({ serviceName: 'Harbor Data' })
    const late = await Person.arrive(renamed, await mint('connect', entity))
    expect(asked(late)).toEqual([every, []])
    expect(late.view.recipients).toEqual({ ...before, service: 'Harbor Data' })
    const own = await Person.arrive(renamed, await mint('manage', entity))
    await own.arriveAtAccounts()
    const { receipts } = own.data('manage')
    expect(own.view.recipients.service).toBe('Harbor Data')
    expect(receipts.map(({ recipients }) => recipients)).toEqual(receipts.map(() => before))
    expect(receipts).not.toEqual([])
  })

  it('keeps its names after the person goes back, they change, and the person agrees again', async () => {
    const entity = await someone(service, '+15121231111')
    const first = await open('connect', entity)
    await first.consent()
    await first.letCodeExpire()
    await first.send({ action: 'back' })
    expect(first.view.step).toBe('consent')
    const renamed = await service.again({ serviceName: 'Harbor Data' })
    const { session_id } = first.view
    const again = await Person.arrive(renamed, await mint('connect', entity, { session_id }))
    expect(again.view.recipients.service).toBe('Harbor Data')
    await again.consent()
    const own = await Person.arrive(renamed, await mint('manage', entity))
    await own.arriveAtAccounts()
    const names = own.data('manage').receipts.map(({ recipients }) => recipients.service)
    expect(names).toEqual([...every.map(() => 'Harbor Data'), ...every.map(() => 'Causeway')])
  })

  it('counts under its own names, or those of its session if it was recorded without names', async () => {
    const { entity } = await finished()
    const set = (recipients: string | null) =>
      service.store.write(tx =>
        tx.updateTable('consents').set({ recipients }).where('entity_id', '=', entity).execute(),
      )
    await set('{"service":"Harbor Data","bureau":"Sandbox Credit Bureau"}')
    expect(asked(await open('connect', entity))[1]).toEqual([])
    await set(null)
    expect(asked(await open('connect', entity))[1]).toEqual(['esign', 'text_messages', 'privacy'])
  })

  it('names the same recipients in the copy of its session after they change', async () => {
    const entity = await someone(service, '+15121231111')
    const { session_id } = (await verify(service, await open('identity_verification', entity))).view
    const renamed = await service.again({ serviceName: 'Harbor Data' })
    const person = await Person.arrive(renamed, await mint('identity_verification', entity, { session_id }))
    expect(person.data('done').agreed).not.toEqual([])
    expect(person.view.recipients).toEqual({ service: 'Causeway', bureau: 'Sandbox Credit Bureau' })
  })

  // kills: withdrawal-ends-agreements
  it("ends with the person's consent, even in its own session", async () => {
    const { entity } = await finished()
    const waiting = await verify(service, await open('connect', entity))
    waiting.data('selection')
    expect((await open('card_connect', entity)).view.step).toBe('selection')
    await service.call('POST', `/entities/${entity}/consent`, { type: 'withdraw' })
    await service.call('POST', `/entities/${entity}/consent`, { type: 'grant' })
    // Verifies the phone again outside the flow, so that only the withdrawal can affect the result.
    const now = service.deps.clock()
    const proved = { phone_verified_at: now, phone_proved_at: now }
    await service.store.write(tx => tx.updateTable('entities').set(proved).where('id', '=', entity).execute())
    expect(asked(await open('card_connect', entity))).toEqual([every, []])
    expect((await waiting.look()).step).toBe('consent')
  })
})
