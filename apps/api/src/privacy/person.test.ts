import { expect, it } from 'vitest'
import { readConfig } from '../main/config.js'
import { operate } from '../main/operator/operator.js'
import { audit } from '../platform/audit/store.js'
import { reading, transact } from '../platform/scope.js'
import { fundingAccount, Person, transferToken } from '../testing/frame.js'
import { lender } from '../testing/money.js'
import { engine, testService } from '../testing/service.js'
import { eraseEntity, exportEntity } from './person.js'

const service = await testService()

const SSN = '123456780'
const BANK = '98765432107'
const LOAN = { loan_amount: 1_000_000 }

/** Creates a person with every kind of stored data. */
async function known() {
  const bank = lender(service)
  const { entity, accounts } = await bank.debts('+15125550120')
  await bank.must('PUT', `/entities/${entity}`, { individual: { ssn: SSN } })
  await bank.must('POST', '/accounts', {
    holder_id: entity,
    ach: { routing: '062103000', number: BANK, type: 'checking' },
  })
  const verifications = `/accounts/${accounts[0]!.id}/verification_sessions`
  const { id } = await bank.must('POST', verifications, { type: 'network' })
  await bank.must('PUT', `${verifications}/${id}`, { network: { cvv: '539' } })
  await service.settle()
  await bank.must('POST', `/accounts/${accounts[0]!.id}/sensitive`, { expand: ['credit_card.number'] })
  await service.settle()
  const { element_token } = await transferToken(service, entity, LOAN)
  const person = await Person.arrive(service, element_token)
  await person.consent()
  const source = await fundingAccount(service)
  const body = {
    amount: 5_000,
    source,
    destination: accounts[0]!.id,
    description: 'x',
    metadata: { note: 'Ana’s loan' },
  }
  const pay = () => service.call('POST', '/payments', body, { 'idempotency-key': `loan of ${entity}` })
  const payment = (await pay()).body['id'] as string
  return { entity, accounts, payment, pay }
}
const team = async () => (await service.deps.teamOf(service.team))!
const row = (id: string) =>
  service.store.reader.selectFrom('entities').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const exported = async (id: string) => exportEntity(reading(service.deps, await team()), await row(id))
const erase = async (id: string) => transact(service.deps, await team(), scope => eraseEntity(scope, id))

it("an export contains all of a person's stored data in the API's format, without full numbers", async () => {
  const { entity, accounts, payment } = await known()
  const stranger = await known()
  const all = await exported(entity)
  const shown = (await service.call('GET', `/entities/${entity}`)).body as Record<string, unknown>
  expect(all['entity']).toMatchObject({ id: entity, individual: shown['individual'], metadata: shown['metadata'] })
  const ids = (key: string) => (all[key] as { id: string }[]).map(({ id }) => id)
  expect(ids('accounts')).toEqual(expect.arrayContaining(accounts.map(({ id }) => id)))
  expect(ids('accounts')).toHaveLength(accounts.length + 1)
  expect(ids('payments')).toEqual([payment])
  const products = new Set((all['records'] as { product?: string }[]).map(({ product }) => product))
  expect([...products]).toEqual(expect.arrayContaining(['connect', 'update', 'sensitive']))
  expect(all['sessions']).toHaveLength(1)
  const recipients = { service: 'Causeway', bureau: 'Sandbox Credit Bureau' }
  expect(all['consents']).toContainEqual({
    session_id: ids('sessions')[0],
    document: 'esign',
    version: '2026-11-26',
    locale: 'en',
    recipients,
    given_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  const text = JSON.stringify(all)
  expect(text).not.toContain(SSN)
  expect(text).not.toContain(BANK)
  expect(text).toContain(`****${BANK.slice(-4)}`)
  expect(text).not.toMatch(/\b\d{15,16}\b/)
  expect(text).not.toContain(stranger.entity)
})

it("an erased person is like one who withdrew consent, and customers' notes on payments are deleted", async () => {
  const { entity, payment, pay } = await known()
  await expect(erase(entity)).rejects.toThrow()
  await service.call('POST', '/simulate/clock', { advance: 'P10D' })
  await service.settle()
  await transact(service.deps, await team(), scope =>
    Promise.all(
      [entity, payment].map(id => audit(scope, 'key_x', 'entity.reveal', id, { reason: 'dob: Kevin called' })),
    ),
  )
  await erase(entity)
  const seen = await service.store.reader
    .selectFrom('audit')
    .select(['actor', 'reason'])
    .where('team_id', '=', service.team)
    .where('resource_id', 'in', [entity, payment])
    .where('action', '=', 'entity.reveal')
    .execute()
  expect(seen).toEqual(Array(2).fill({ actor: 'key_x', reason: null }))
  expect((await service.call('GET', `/entities/${entity}`)).body).toMatchObject({
    status: 'disabled',
    individual: null,
  })
  expect((await service.call('GET', `/payments/${payment}`)).body).toMatchObject({ amount: 5_000, metadata: null })
  // Events about the payment must not contain the note either.
  const told = await service.call('GET', `/events?resource_id=${payment}`)
  expect((told.body['data'] as unknown[]).length).toBeGreaterThan(0)
  expect(told.text).not.toContain('Ana’s')
  const replay = await pay()
  expect([replay.headers.get('idem-status'), replay.body['id'], replay.body['metadata']]).toEqual([
    'replayed',
    payment,
    null,
  ])
  const left = await exported(entity)
  expect(left['consents']).not.toEqual([])
  expect(JSON.stringify(left)).not.toMatch(/Kevin|Doyle|Ana’s/)
  // Erasing a person twice succeeds, because a caller that is unsure of the outcome may retry.
  await erase(entity)
})

it.skipIf(engine === 'postgres')(
  'the operator can do both while the service runs (the command gets the path of a SQLite file)',
  async () => {
    const { entity } = await known()
    const config = readConfig({
      DATABASE_URL: `file:${service.file}`,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    })
    const run = (...args: string[]) => operate(config, args, Date.parse('2026-03-20T15:00:00.000Z'))
    expect(await run('entity', 'export', entity)).toMatchObject({
      entity: { id: entity },
      payments: [{ amount: 5_000 }],
    })
    await expect(run('entity', 'erase', entity)).rejects.toThrow('payment')
    await expect(run('entity', 'export', 'ent_none')).rejects.toThrow('No entity has the id ent_none.')
    const actions = await service.store.reader
      .selectFrom('audit')
      .select('action')
      .where('resource_id', '=', entity)
      .execute()
    expect(actions.map(({ action }) => action)).toContain('entity.export')
  },
)
