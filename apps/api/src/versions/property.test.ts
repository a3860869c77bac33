import * as examples from '@causeway/contract/declaration/examples'
import { withdrawnAccount, withdrawnEntity } from '@causeway/contract/declaration/withdrawn-examples'
import { resourceError } from '@causeway/contract/errors'
import { liabilityTypes } from '@causeway/contract/fields/liability'
import { corporationKinds } from '@causeway/contract/products/entity'
import { fieldsOfBlock } from '@causeway/contract/update-fields'
import { versions } from '@causeway/contract/versions'
import fc from 'fast-check'
import { it } from 'vitest'
import { checkAnswer } from '../testing/contract/contract.js'
import { showAt } from './chain.js'
import type { AccountFacts, EntityFacts } from './facts.js'

const RUNS = 300
const at = '2026-03-02T15:00:00.000Z'
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value)
const some = (...names: string[]) => fc.subarray(names)
const proof = fc.record({
  verified: fc.boolean(),
  latest_verification_session: fc.constant(null),
  methods: some('sms'),
})

const individual = fc.record({
  individual: fc.record({
    ...Object.fromEntries(['first_name', 'last_name', 'phone', 'dob', 'email'].map(name => [name, maybe(fc.string())])),
    ssn: fc.constant(null),
    ssn_4: fc.constantFrom(null, 'xxxx'),
  }),
  status: fc.constantFrom('active', 'incomplete', 'disabled'),
  verification: fc.record({ identity: proof, phone: proof }),
  products: some('connect', 'credit_score'),
  restricted_products: some('connect', 'vehicle'),
})
const entity = fc.oneof(
  individual.map(fields => ({ ...examples.entity, ...fields })),
  fc.constant({
    ...examples.entity,
    type: 'corporation',
    individual: undefined,
    corporation: { name: 'Northwind', dba: null, ein: null, owners: [] },
    verification: null,
  }),
  fc.constant(withdrawnEntity),
)
const entityFacts: fc.Arbitrary<EntityFacts> = fc.record({
  kind: maybe(fc.constantFrom(...corporationKinds)),
  nameable: fc.boolean(),
  phone_verified_at: fc.constantFrom(null, at),
})

const liability = fc.constantFrom(...liabilityTypes).chain(type =>
  fc.record({
    liability: fc.record({
      type: fc.constant(type),
      mch_id: fc.constant('mch_1'),
      mask: maybe(fc.string()),
      ownership: fc.constantFrom(null, 'joint'),
      fingerprint: maybe(fc.string()),
      sub_type: maybe(fc.string()),
      name: maybe(fc.string()),
    }),
    status: fc.constantFrom('active', 'closed', 'disabled'),
    products: some('payment', 'update', 'balance'),
    restricted_products: some('payment', 'sensitive'),
    available_subscriptions: some('update', 'update.snapshot'),
  }),
)
const account = fc.oneof(
  liability.map(fields => ({ ...examples.liability, ...fields })),
  fc.constant(examples.ach),
  fc.constant(withdrawnAccount),
)
const accountFacts = (type: string): fc.Arbitrary<AccountFacts> =>
  fc.record({
    verifying: fc.boolean(),
    latest: maybe(
      fc.record({
        status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed'),
        error: fc.constantFrom(null, resourceError(21001)),
      }),
    ),
    update: maybe(
      fc.record({
        source: fc.constantFrom('direct', 'snapshot'),
        as_of: fc.constant(at),
        block: fc.constant(Object.fromEntries(fieldsOfBlock(type).map(field => [field, null]))),
      }),
    ),
    payoff: maybe(fc.record({ amount: fc.nat(), term: fc.nat(), per_diem_amount: maybe(fc.nat()) })),
  })

const check = (path: string, body: { id: string }, facts: Parameters<typeof showAt>[2]) => {
  for (const version of versions)
    checkAnswer({ method: 'GET', path: path + body.id, version, status: 200, body: showAt(version, body, facts) })
}
const offered = some('connect', 'payment')

it("9 any entity, with any known data, has exactly each version's keys", () => {
  fc.assert(
    fc.property(entity, entityFacts, fc.boolean(), offered, (body, known, isKnown, names) => {
      const facts = { offeredProducts: names, entity: new Map(isKnown ? [[body.id, known]] : []), account: new Map() }
      check('/entities/', JSON.parse(JSON.stringify(body)), facts)
    }),
    { numRuns: RUNS },
  )
})

it("9 any account, with any known data, has exactly each version's keys", () => {
  const both = account.chain(body =>
    fc.tuple(fc.constant(body), accountFacts((body as { liability?: { type: string } }).liability?.type ?? 'loan')),
  )
  fc.assert(
    fc.property(both, fc.boolean(), offered, ([body, known], isKnown, names) => {
      const facts = { offeredProducts: names, entity: new Map(), account: new Map(isKnown ? [[body.id, known]] : []) }
      check('/accounts/', body, facts)
    }),
    { numRuns: RUNS },
  )
})
