/** The same library as in library.test.ts, on the products of a person: create, retrieve, list, expand, simulate. */
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Method as Client } from 'method-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lender } from '../testing/money.js'
import { type TestService, testService } from '../testing/service.js'

const { Method } = createRequire(import.meta.url)('method-node') as typeof import('method-node')

let service: TestService
let server: Server
let method: Client
let entity: string

beforeAll(async () => {
  service = await testService()
  server = createAdaptorServer({ fetch: service.app.api.fetch }) as Server
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/enveloped`
  method = new Method({ apiKey: service.key, env: 'dev', baseURL } as ConstructorParameters<typeof Method>[0])
  entity = await lender(service).verified('+15121231111')
})
afterAll(async () => {
  await new Promise(resolve => server.close(resolve))
  await service.stop()
})

const keysOf = (value: unknown) => Object.keys(value as object).sort()
const keys = (name: string) => ['id', 'entity_id', 'status', name, 'error', 'created_at', 'updated_at'].sort()

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

it('identities come at once', async () => {
  const made = await method.entities(entity).identities.create()
  expect(keysOf(made)).toEqual(keys('identities'))
  expect(made.status).toBe('completed')
  expect(made.identities.length).toBeGreaterThan(0)
  expect(await method.entities(entity).identities.retrieve(made.id)).toEqual(made)
  expect(await method.entities(entity).identities.list()).toEqual([made])
})

it('attributes are named one by one, and pointed at', async () => {
  const made = await method.entities(entity).attributes.create({ attributes: ['credit_health_credit_card_usage'] })
  expect(keysOf(made)).toEqual(keys('attributes'))
  expect(keysOf(made.attributes)).toEqual(['credit_health_credit_card_usage'])
  expect(await method.entities(entity).attributes.retrieve(made.id)).toEqual(made)
  expect(await method.entities(entity).attributes.list()).toEqual([made])
  expect((await method.entities.retrieve(entity, { expand: ['attribute'] })).attribute).toEqual(made)
})

it('vehicles come at once, and are pointed at', async () => {
  const made = await method.entities(entity).vehicles.create()
  expect(keysOf(made)).toEqual(keys('vehicles'))
  expect(made.status).toBe('completed')
  expect(await method.entities(entity).vehicles.retrieve(made.id)).toEqual(made)
  expect(await method.entities(entity).vehicles.list()).toEqual([made])
  expect((await method.entities.retrieve(entity, { expand: ['vehicle'] })).vehicle).toEqual(made)
})
