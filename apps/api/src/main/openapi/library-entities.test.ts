/**
 * Tests a person's products with the server library from library.test.ts: create, retrieve, list, expand and simulate.
 */
import { expect, it } from 'vitest'
import { common, keysOf, keys as names, startLender } from '../../testing/library.js'
import { lender as customer } from '../../testing/money.js'

const lender = await startLender()
const method = lender.method
const { body } = await lender.service.call('GET', '/team')
const products = [...(body['products'] as string[]), 'credit_score', 'identity', 'vehicle']
await lender.service.call('PATCH', '/team', { products })
const entity = await customer(lender.service).verified('+15121231111')

const keys = (name: string) => names(`id entity_id status ${name} ${common}`)

it('a credit score is pending until it is simulated, then listed and expanded', async () => {
  const scores = [
    {
      score: 734,
      source: 'equifax',
      model: 'vantage_4',
      factors: [{ code: '00034', description: 'Too few accounts.' }],
      created_at: '2026-03-01T10:00:00.000Z',
    },
  ]
  const made = await method.entities(entity).creditScores.create()
  expect(keysOf(made)).toEqual(keys('scores'))
  expect(made).toMatchObject({ status: 'pending', scores: null })
  const done = await method.simulate
    .entities(entity)
    .creditScores(made.id)
    .create({ scores } as never)
  expect(done).toMatchObject({ id: made.id, status: 'completed', scores })
  expect(await method.entities(entity).creditScores.retrieve(made.id)).toEqual(done)
  expect(await method.entities(entity).creditScores.list()).toEqual([done])
  expect((await method.entities.retrieve(entity, { expand: ['credit_score'] })).credit_score).toEqual(done)
})

it('identities are returned immediately', async () => {
  const made = await method.entities(entity).identities.create()
  expect(keysOf(made)).toEqual(keys('identities'))
  expect(made.status).toBe('completed')
  expect(made.identities.length).toBeGreaterThan(0)
  expect(await method.entities(entity).identities.retrieve(made.id)).toEqual(made)
  expect(await method.entities(entity).identities.list()).toEqual([made])
})

it('attributes are named one by one, and referenced', async () => {
  const made = await method.entities(entity).attributes.create({ attributes: ['credit_health_credit_card_usage'] })
  expect(keysOf(made)).toEqual(keys('attributes'))
  expect(keysOf(made.attributes)).toEqual(['credit_health_credit_card_usage'])
  expect(await method.entities(entity).attributes.retrieve(made.id)).toEqual(made)
  expect(await method.entities(entity).attributes.list()).toEqual([made])
  expect((await method.entities.retrieve(entity, { expand: ['attribute'] })).attribute).toEqual(made)
})

it('vehicles are returned immediately, and referenced', async () => {
  const made = await method.entities(entity).vehicles.create()
  expect(keysOf(made)).toEqual(keys('vehicles'))
  expect(made.status).toBe('completed')
  expect(await method.entities(entity).vehicles.retrieve(made.id)).toEqual(made)
  expect(await method.entities(entity).vehicles.list()).toEqual([made])
  expect((await method.entities.retrieve(entity, { expand: ['vehicle'] })).vehicle).toEqual(made)
})
