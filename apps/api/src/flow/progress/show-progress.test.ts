import { expect, it } from 'vitest'
import { atSelection, confirmed, fundingAccount, LOAN, Person, someone, transferToken } from '../../testing/frame.js'
import { literal, plan, recorded, type Statement } from '../../testing/queries/plans.js'
import { testService } from '../../testing/service.js'
import { sessionJson } from '../session/session.js'

const statements: Statement[] = []
const service = await testService({ store: store => recorded(store, statements) })

const progress = async (session: string) =>
  (await service.call('GET', `/opal/sessions/${session}/progress`)).body as unknown as Record<string, unknown>

it('follows the person from step to step, with the remaining attempts', async () => {
  const { element_token, session_id } = await transferToken(service, await someone(service, '+15125550101'), LOAN)
  expect(await progress(session_id)).toMatchObject({ step: 'consent', waits_for: 'person', steps: [] })
  const person = await Person.arrive(service, element_token)
  service.advance(60_000)
  await person.consent()
  expect(await progress(session_id)).toMatchObject({
    step: 'code',
    since: '2026-03-02T15:01:00.000Z',
    tries_left: 5,
    tries_used: 0,
    account: null,
    waits_for: 'person',
    last_code: null,
    steps: [
      { step: 'consent', at: '2026-03-02T15:00:00.000Z', tries: 1 },
      { step: 'code', at: '2026-03-02T15:01:00.000Z', tries: 1 },
    ],
  })
  await person.send({ action: 'verify', code: '000000' })
  expect(await progress(session_id)).toMatchObject({ step: 'code', tries_left: 4, tries_used: 1 })
  expect(JSON.stringify(await progress(session_id))).not.toContain('5125550101')
})

it('names the account that a step is about, and counts wrong numbers', async () => {
  const { person, session } = await atSelection(service, '+15125550108')
  const [needs] = person.data('selection').accounts
  await person.send({ action: 'select', accounts: [needs!.id] })
  expect(await progress(session)).toMatchObject({ step: 'number', account: needs!.id, tries_left: 5, tries_used: 0 })
  await person.send({ action: 'submit', number: '4000 0000 0002 8045' })
  expect(await progress(session)).toMatchObject({ step: 'number', account: needs!.id, tries_left: 4, tries_used: 1 })
})

it('says whether the person can skip the account: only if the others that they chose are enough', async () => {
  const skippable = async (loan: object, choose: (ids: string[]) => string[]) => {
    const { person, session } = await atSelection(service, '+15125550108', { ...LOAN, ...loan })
    const accounts = person.data('selection').accounts.filter(({ status }) => status !== 'ineligible')
    await person.send({ action: 'select', accounts: choose(accounts.map(({ id }) => id)) })
    const { step, can_skip } = await progress(session)
    const owed = accounts.reduce((sum, { balance }) => sum + (balance ?? 0), 0)
    return { step, can_skip, owed }
  }
  const all = (ids: string[]) => ids
  expect(await skippable({}, ([first]) => [first!])).toMatchObject({ step: 'number', can_skip: false })
  const enough = await skippable({}, all)
  expect(enough).toMatchObject({ step: 'number', can_skip: true })
  const terms = { loan_amount: enough.owed, residual_amount_max: 0 }
  expect(await skippable(terms, all)).toMatchObject({ step: 'number', can_skip: false })
})

it('reads the latest of a large number of events', async () => {
  const { element_token, session_id } = await transferToken(service, await someone(service, '+15125550108'), LOAN)
  const person = await Person.arrive(service, element_token)
  await person.send({ action: 'accept', documents: [], locale: 'en-US' })
  const before = await progress(session_id)
  await service.store.write(async tx => {
    const [first] = await tx
      .selectFrom('session_events')
      .selectAll()
      .where('session_id', '=', session_id)
      .limit(1)
      .execute()
    const old = (count: number) => ({
      ...first!,
      id: `${first!.id.slice(0, 4)}0${String(count).padStart(12, '0')}`,
      type: 'old',
      data: null,
    })
    for (let count = 0; count < 600; count += 100)
      await tx
        .insertInto('session_events')
        .values(Array.from({ length: 100 }, (_, index) => old(count + index)))
        .execute()
  })
  expect(await progress(session_id)).toEqual(before)
})

it('says why a flow is blocked, when it is waiting for the release, and when it has ended', async () => {
  const none = await transferToken(service, await someone(service, '+15125550105'), LOAN)
  const person = await Person.arrive(service, none.element_token)
  await person.arriveAtAccounts()
  expect(await progress(none.session_id)).toMatchObject({
    step: person.view.step,
    last_code: person.view.step === 'blocked' ? 'no_accounts' : null,
  })
  const source = await fundingAccount(service)
  const { session } = await confirmed(service, '+15125550100')
  expect(await progress(session)).toMatchObject({ step: 'done', waits_for: 'release' })
  await service.call('POST', `/opal/sessions/${session}`, { action: 'release_payments', data: { source } })
  expect(await progress(session)).toMatchObject({ step: 'done', waits_for: 'nothing' })
})

it('lists sessions by their latest step, including sessions that are stuck', async () => {
  const list = async (query: string) => {
    const { status, body } = await service.call('GET', `/opal/sessions?${query}`)
    expect(status).toBe(200)
    return (body['data'] as unknown as { id: string }[]).map(each => each.id)
  }
  const begin = async () => transferToken(service, await someone(service, '+15125550101'), LOAN)
  const unopened = await begin()
  const stuck = await begin()
  const person = await Person.arrive(service, stuck.element_token)
  await person.consent()
  service.advance(2 * 86_400_000)
  const recent = await begin()
  await (await Person.arrive(service, recent.element_token)).consent()
  const { session: completed } = await confirmed(service, '+15125550100')
  service.advance(3_600_000)
  expect(await list('step=code')).toContain(stuck.session_id)
  expect(await list('step=code&step=phone')).toEqual(expect.arrayContaining([recent.session_id, stuck.session_id]))
  expect(await list('step=phone')).not.toContain(stuck.session_id)
  expect(await list('step=done')).toContain(completed)
  const day = await list('stuck_for=P1D')
  expect(day).toContain(stuck.session_id)
  for (const id of [unopened.session_id, recent.session_id, completed]) expect(day).not.toContain(id)
  expect(await list('stuck_for=PT1H')).toEqual(expect.arrayContaining([recent.session_id, stuck.session_id]))
  expect(await list('stuck_for=P1D&step=phone')).toEqual([])
  statements.length = 0
  expect(await list('payout_status=pending_release')).toEqual([completed])
  const statement = statements.find(({ text }) => text.includes('from "sessions"'))!
  expect(await plan(service.store.reader, literal(statement))).toMatch(/\bsessions_unreleased\b/)
  for (const filter of ['stuck_for=P1D', 'unpaid=true']) {
    const counted = await service.call('GET', `/opal/sessions?count=capped&${filter}`)
    expect([counted.status, counted.headers.get('pagination-total-count')]).toEqual([400, null])
  }
  const wrong = await service.call('GET', '/opal/sessions?stuck_for=long')
  expect(wrong.text).toContain('INVALID_SEARCH_PARAMETERS')
})

it('names the person and the last screen of each session, in the list and alone', async () => {
  const inline = await service.call('POST', '/elements/token', {
    type: 'balance_transfer',
    entity: { type: 'individual', individual: { phone: '+15125550102' } },
    balance_transfer: LOAN,
  })
  const { element_token, session_id } = inline.body as unknown as { element_token: string; session_id: string }
  const read = async () => {
    const { body } = await service.call('GET', `/opal/sessions/${session_id}`)
    const listed = await service.call('GET', '/opal/sessions?page_limit=1')
    expect((listed.body['data'] as unknown as unknown[])[0]).toEqual(body['data'])
    return body['data'] as unknown as { entity_id: string | null; step: string | null }
  }
  expect(await read()).toMatchObject({ entity_id: null, step: null })
  const person = await Person.arrive(service, element_token)
  expect(await read()).toMatchObject({ entity_id: expect.stringMatching(/^ent_/), step: 'consent' })
  await person.consent()
  expect(await read()).toMatchObject({ step: 'code' })
})

it('lists a session as stuck only while the person has something to do in it', async () => {
  const list = async () => {
    const { body } = await service.call('GET', '/opal/sessions?stuck_for=P1D')
    return (body['data'] as unknown as { id: string }[]).map(({ id }) => id)
  }
  const begin = async (entity: string) => {
    const token = await transferToken(service, entity, LOAN)
    await (await Person.arrive(service, token.element_token)).consent()
    return token.session_id
  }
  const [one, two, three] = await Promise.all(
    ['+15125550101', '+15125550102', '+15125550103'].map(phone => someone(service, phone)),
  )
  const replaced = await begin(one!)
  const latest = await begin(one!)
  const withdrawn = await begin(two!)
  const manage = await service.call('POST', '/opal/token', { mode: 'manage', entity_id: three })
  const managing = manage.body['data'] as unknown as { token: string; session_id: string }
  await Person.arrive(service, managing.token)
  await service.store.write(tx =>
    tx
      .updateTable('sessions')
      .set({ progress: sessionJson.progress.write({ shown: 'manage' }) })
      .where('id', '=', managing.session_id)
      .execute(),
  )
  service.advance(2 * 86_400_000)
  const before = await list()
  expect(before).toEqual(expect.arrayContaining([latest, withdrawn]))
  for (const id of [replaced, managing.session_id]) expect(before).not.toContain(id)
  await service.call('POST', `/entities/${two}/consent`, { type: 'withdraw', reason: 'entity_withdrew_consent' })
  expect(await list()).not.toContain(withdrawn)
})

it('is visible only to the team', async () => {
  const { session_id } = await transferToken(service, await someone(service, '+15125550101'), LOAN)
  const headers = { authorization: `Bearer ${(await service.anotherTeam()).key}` }
  expect((await service.call('GET', `/opal/sessions/${session_id}/progress`, undefined, headers)).status).toBe(404)
})
