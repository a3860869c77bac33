import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorOf } from '../../testing/cases.js'
import { someone } from '../../testing/frame.js'
import { type TestService, testService } from '../../testing/service.js'

let service: TestService
let entity: string
beforeAll(async () => {
  service = await testService()
  entity = await someone(service, '+15125550101')
})
afterAll(() => service.stop())

const refused = async (path: string, body: Record<string, unknown>, method = 'POST') => {
  const reply = await service.call(method, path, body)
  return reply.status === 200 ? '200' : `${errorOf(reply.body).sub_type}: ${errorOf(reply.body).message}`
}
const individual = (fields: Record<string, unknown>) => ({ type: 'individual', individual: fields })
const address = (fields: Record<string, unknown>) => ({ ...individual({}), address: fields })

it.each([
  ['1', 'US numbers alone'],
  ['+441632960961', ''],
  ['+11125550101', ''],
  ['+1512555010', ''],
  ['+151255501011', ''],
  ['15125550101', ''],
  ['+1 512 555 0101', ''],
  ['+15125550101\n', ''],
])('individual.phone %j is rejected with its own error', async phone => {
  expect(await refused('/entities', individual({ phone }))).toMatch(
    /^INVALID_ENTITY_PHONE_NUMBER: individual.phone must be .* such as \+12025550123/,
  )
})

it.each(['ana', 'ana@', '@example.com', 'ana@example', 'a b@example.com', `${'a'.repeat(250)}@a.co`, 'a@b@c.de'])(
  'individual.email %j is rejected with its own error',
  async email => {
    expect(await refused('/entities', individual({ email }))).toMatch(
      /^INVALID_ENTITY_EMAIL_ADDRESS: individual.email must be/,
    )
  },
)

it.each(['1980-2-3', '1980-02-30', '2027-01-01', '1899-12-31', '05/05/1980', '1980-05-05T00:00:00.000Z', ''])(
  'individual.dob %j is rejected with a message that states the right format',
  async dob => {
    expect(await refused('/entities', individual({ dob }))).toBe(
      'INVALID_REQUEST: individual.dob must be a date in the past, in the format YYYY-MM-DD.',
    )
  },
)

it('ssn has nine digits, ssn_4 has four, and only one of them can be sent', async () => {
  for (const ssn of ['12345678', '1234567890', '123-45-6789', '12345678a'])
    expect(await refused('/entities', individual({ ssn }))).toMatch(/^ENTITY_INVALID_SSN: individual.ssn must be/)
  expect(await refused('/entities', individual({ ssn: '123456789', ssn_4: '6789' }))).toMatch(/^ENTITY_INVALID_SSN:/)
  for (const ssn_4 of ['123', '12345', 'abcd'])
    expect(await refused('/entities', individual({ ssn_4 }))).toMatch(/^ENTITY_INVALID_SSN4: individual.ssn_4 must be/)
})

it('names and addresses have maximum lengths and formats', async () => {
  expect(await refused('/entities', individual({ first_name: 'x'.repeat(101) }))).toBe(
    'INVALID_REQUEST: individual.first_name must be at most 100 characters long.',
  )
  expect(await refused('/entities', individual({ last_name: ' ' }))).toBe(
    'INVALID_REQUEST: individual.last_name must not be empty.',
  )
  expect(await refused('/entities', address({ state: 'Texas' }))).toBe(
    'INVALID_REQUEST: address.state must be two letters, such as TX.',
  )
  expect(await refused('/entities', address({ zip: '787' }))).toBe(
    'INVALID_REQUEST: address.zip must be five digits, such as 78705.',
  )
  expect(await refused('/entities', { type: 'corporation', corporation: { name: 'N', ein: '12' } })).toBe(
    'INVALID_REQUEST: corporation.ein must be nine digits.',
  )
  expect(await refused('/entities', { type: 'corporation', corporation: {} })).toBe(
    'INVALID_REQUEST: corporation.name is required and must be a string.',
  )
  expect(await refused('/entities', { type: 'individual' })).toBe(
    'INVALID_REQUEST: individual is required for an entity of type individual; it may be an empty object.',
  )
})

it('names a list that must not be empty', async () => {
  expect(await refused('/team/keys', { scopes: [] })).toBe('INVALID_REQUEST: scopes must not be empty.')
})

it('a null field counts as omitted', async () => {
  const nothing = { first_name: null, last_name: null, phone: null, email: null, dob: null, ssn: null, ssn_4: null }
  expect(await refused('/entities', { ...individual(nothing), address: null, metadata: null })).toBe('200')
})

it('errors about token fields name the field and its requirement', async () => {
  const connect = (block: Record<string, unknown>) => ({ type: 'connect', entity_id: entity, connect: block })
  for (const [body, sentence] of [
    [connect({ accounts: ['ent_1'] }), 'connect.accounts[0] must be an id that begins with acc_.'],
    [
      connect({ account_filters: { selection_type: 'some' } }),
      'connect.account_filters.selection_type must be one of: single, multiple, all.',
    ],
    [connect({ kind: 'x' }), 'connect has an unknown field: kind.'],
    [{ ...connect({}), appearance: 'pink' }, 'appearance must be one of: light, dark, system.'],
    [
      { ...connect({}), team_logo: 'http://a.example' },
      'team_logo must be an https URL of at most 2,000 characters, without a user name or spaces. The sandbox also accepts http on localhost.',
    ],
    [{ ...connect({}), team_name: 'x'.repeat(201) }, 'team_name must be at most 200 characters long.'],
  ] as const)
    expect(await refused('/elements/token', body)).toBe(`INVALID_REQUEST: ${sentence}`)
  for (const origins of [
    ['*'],
    ['https://*.example.com'],
    ['http://www.example.com'],
    ['https://a.example/x'],
    ['javascript:1'],
    Array(21).fill('https://a.example'),
    'https://a.example',
  ])
    expect(await refused('/elements/token', { ...connect({}), allowed_origins: origins })).toMatch(
      /^INVALID_REQUEST: allowed_origins must be at most 20 origins such as https:/,
    )
})

it('confirmation in the sandbox requires whole cents, and returns the same errors as a release', async () => {
  const made = await service.call('POST', '/elements/token', {
    type: 'balance_transfer',
    entity_id: entity,
    balance_transfer: { loan_amount: 100_000 },
  })
  const path = `/simulate/opal/sessions/${made.body['session_id']}`
  expect(await refused(path, { allocations: { acc_unknown: 5_000 } })).toMatch(/^BT_ACCOUNT_NOT_PAYABLE/)
  expect(await refused(path, { allocations: {} })).toMatch(/^BT_NO_ALLOCATIONS/)
  expect(await refused(path, { allocations: { acc_unknown: '5000' } })).toBe(
    'INVALID_REQUEST: A member of allocations must be a number.',
  )
  expect(await refused(path, { allocations: { acc_unknown: 5_000.5 } })).toBe(
    'INVALID_REQUEST: A member of allocations must be a whole number.',
  )
  expect(await refused(path, {})).toBe('INVALID_REQUEST: allocations is required and must be an object.')
})
