import { expect, it } from 'vitest'
import { errorOf, rejectionOf } from '../../../testing/contract/cases.js'
import { someone } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const entity = await someone(service, '+15125550101')

const refused = async (path: string, body: Record<string, unknown>, method = 'POST') => {
  const reply = await service.call(method, path, body)
  return reply.status === 200 ? '200' : `${rejectionOf(reply)}: ${errorOf(reply.body).message}`
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

it.each([
  'a,b@example.com',
  'a;b@example.com',
  '()@example.com',
  '"a b"@example.com',
  'a..b@example.com',
  '.a@example.com',
  'ana@-example.com',
  'ana@example..com',
  'ana@10.0.0.1',
  'a\u00adb@example.com',
  `${'a'.repeat(65)}@example.com`,
])('the email %j is rejected for a person, an owner and a contact', async email => {
  expect(await refused('/entities', individual({ email }))).toMatch(/^INVALID_ENTITY_EMAIL_ADDRESS:/)
  const corporation = { name: 'Elm', owners: [{ email }] }
  expect(await refused('/entities', { type: 'corporation', corporation })).toMatch(
    /owners\[0\]\.email must be an email/,
  )
  const contacts = [{ name: 'Ana', email, type: 'security' }]
  expect(await refused('/team', { contacts }, 'PATCH')).toMatch(/contacts\[0\]\.email must be an email/)
})

it.each([
  'ana+loans@example.com',
  "o'brien@example.co.uk",
  'a_b-c.d@sub-domain.example.com',
  'josé@exämple.de',
  '用户@例子.广告',
  'a@xn--exmple-cua.xn--p1ai',
  'A1/b=c@9x.co',
])('the email %j is accepted for a person, an owner and a contact', async email => {
  expect(await refused('/entities', individual({ email }))).toBe('200')
  expect(await refused('/entities', { type: 'corporation', corporation: { name: 'Elm', owners: [{ email }] } })).toBe(
    '200',
  )
  expect(await refused('/team', { contacts: [{ name: 'Ana', email, type: 'security' }] }, 'PATCH')).toBe('200')
})

it('the second line of an address can be empty', async () => {
  expect(await refused('/entities', address({ line2: '' }))).toBe('200')
  const team = { line1: '1 Elm St', city: 'Austin', state: 'TX', zipcode: '78705', country: 'US' }
  expect(await refused('/team', { address: { ...team, line2: '' } }, 'PATCH')).toBe('200')
  expect(await refused('/team', { address: { ...team, line2: 'a\u202eb' } }, 'PATCH')).toMatch(/line2 must not contain/)
})

it.each([
  'https://ex\u00adample.com/',
  'https://example.com\\@evil.example/',
  'https://example.com/\u202egnp.exe',
  'https://example.com/a\u200bb',
  'https://example.com/a\u2028b',
  'https://example.com/a b',
  'https://example.com/a\tb',
  'https://exam\nple.com/',
])('the URL %j is rejected in every field', async url => {
  const sentence =
    'must not contain spaces, backslashes, or characters that are not visible. Percent-encode those that belong to the URL.'
  for (const [path, body, field, method] of [
    ['/webhooks', { type: 'payment.update', url }, 'url'],
    ['/elements/token', { type: 'connect', entity_id: entity, redirect_url: url }, 'redirect_url'],
    ['/elements/token', { type: 'connect', entity_id: entity, team_logo: url }, 'team_logo'],
    ['/team', { forwarding_allow_list: [url] }, 'forwarding_allow_list[0]', 'PATCH'],
    ...['logo', 'privacy_url', 'support_url'].map(
      name => ['/team', { brand: { [name]: url } }, `brand.${name}`, 'PATCH'] as const,
    ),
    ['/forwarding_requests', { url, method: 'GET', headers: {}, body: '', bindings: {} }, 'url'],
  ] as const)
    expect(await refused(path, body, method)).toBe(`INVALID_REQUEST: ${field} ${sentence}`)
})

it('a percent-encoded URL, and one in another script, are accepted', async () => {
  for (const path of ['a%20b%5C%E2%80%AE', 'größe', '東京'])
    expect(await refused('/team', { forwarding_allow_list: [`https://example.com/${path}`] }, 'PATCH')).toBe('200')
})

it('a simulated credit score with another time is rejected with the right format', async () => {
  const score = { score: 700, source: 'equifax', model: 'vantage_4', factors: [], created_at: '2026-03-02' }
  expect(await refused(`/simulate/entities/${entity}/credit_scores/crs_1`, { scores: [score] })).toBe(
    'INVALID_REQUEST: scores[0].created_at must be a time in ISO 8601 in UTC with milliseconds, such as 2026-01-15T18:30:00.000Z.',
  )
})

it.each([
  '1980-2-3',
  '1980-02-30',
  '2027-01-01',
  '1899-12-31',
  '1900-01-01',
  '05/05/1980',
  '1980-05-05T00:00:00.000Z',
  '',
])('individual.dob %j is rejected with a message that states the right format', async dob => {
  expect(await refused('/entities', individual({ dob }))).toBe(
    'INVALID_REQUEST: individual.dob must be a date after 1900-01-01 and in the past, in the format YYYY-MM-DD.',
  )
})

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
      'team_logo must be an https URL of at most 2,000 characters, without a user name. The sandbox also accepts http on localhost.',
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
