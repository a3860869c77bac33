import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, NEWEST } from '../testing/cases.js'
import { confirmed, someone } from '../testing/frame.js'
import { spoiled } from '../testing/input.js'
import { type TestService, testService } from '../testing/service.js'

let service: TestService
let at: { entity: string; account: string; session: string; needs: string }
beforeAll(async () => {
  service = await testService()
  const { session, accounts, entity } = await confirmed(service, '+15125550100')
  const listed = await service.call('GET', `/accounts?holder_id=${entity}&liability.mch_id=mch_301761`)
  const fresh = await someone(service, '+15125550101')
  at = { entity: fresh, account: accounts[0]!, session, needs: (listed.body['data'] as { id: string }[])[0]!.id }
})
afterAll(() => service.stop())

const address = { line1: '1 Elm', line2: 'A', city: 'Austin', state: 'TX', zip: '78705' }
const individual = {
  first_name: 'Ana',
  last_name: 'Ruiz',
  phone: '+15125550101',
  email: 'ana@example.com',
  dob: '1980-05-05',
  ssn: '123456789',
}
const filters = {
  include: { account_types: ['credit_card'], products: ['update'] },
  exclude: { account_types: ['mortgage'], mch_ids: ['mch_1'], unverified_account_numbers: true },
}
const terms = {
  loan_amount: 500_000,
  minimum_payment: 100,
  maximum_payment: 400_000,
  residual_amount_max: 500_000,
  allow_over_balance: false,
  account_filters: filters,
  skip_pii: ['dob'],
}
const look = {
  appearance: 'dark',
  team_name: 'Northwind',
  team_logo: 'https://a.example/l.png',
  allowed_origins: ['http://localhost:1'],
}

/** A good body for each endpoint; `free`: what takes anything that is an object. `status`: what the good one answers. */
const endpoints: {
  name: string
  path: () => string
  body: () => Record<string, unknown>
  free?: string[]
  status?: number
  method?: string
}[] = [
  {
    name: 'POST /entities, individual',
    path: () => '/entities',
    body: () => ({ type: 'individual', individual, address, metadata: { a: 1 } }),
    free: ['metadata.a'],
  },
  {
    name: 'POST /entities, corporation',
    path: () => '/entities',
    body: () => ({
      type: 'corporation',
      corporation: { name: 'N', dba: 'M', ein: '123456789', owners: [{ first_name: 'A' }] },
      address,
    }),
    free: ['corporation.owners[0].first_name'],
  },
  {
    name: 'PUT /entities',
    method: 'PUT',
    path: () => `/entities/${at.entity}`,
    body: () => ({ individual: { email: 'a@b.co' }, address: { city: 'Austin' }, metadata: {} }),
  },
  {
    name: 'POST /accounts',
    path: () => '/accounts',
    body: () => ({
      holder_id: at.entity,
      type: 'ach',
      ach: { routing: '062103000', number: '12345678', type: 'checking' },
      metadata: {},
    }),
  },
  {
    name: 'POST sms session',
    path: () => `/entities/${at.entity}/verification_sessions`,
    body: () => ({ type: 'phone', method: 'sms', sms: {} }),
  },
  {
    name: 'POST byo_sms session',
    path: () => `/entities/${at.entity}/verification_sessions`,
    body: () => ({ type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2026-01-01T10:00:00.000Z' } }),
  },
  {
    name: 'POST account session',
    path: () => `/accounts/${at.needs}/verification_sessions`,
    body: () => ({ type: 'standard' }),
  },
  {
    name: 'POST connect',
    status: 400,
    path: () => `/entities/${at.entity}/connect`,
    body: () => ({ products: ['balance'] }),
  },
  {
    name: 'POST /elements/token, balance_transfer',
    path: () => '/elements/token',
    body: () => ({ type: 'balance_transfer', entity_id: at.entity, balance_transfer: terms, ...look }),
  },
  {
    name: 'POST /elements/token, connect',
    path: () => '/elements/token',
    body: () => ({
      type: 'connect',
      connect: {
        products: ['balance'],
        entity: { type: 'individual', individual, address },
        account_filters: { selection_type: 'single', liability_types: ['mortgage'] },
      },
      ...look,
    }),
  },
  {
    name: 'POST /opal/token, connect',
    path: () => '/opal/token',
    body: () => ({
      mode: 'connect',
      entity_id: at.entity,
      connect: { selection_type: 'all', account_filters: filters, skip_pii: ['name'] },
    }),
  },
  {
    name: 'POST /opal/token, balance_transfer',
    path: () => '/opal/token',
    body: () => ({ mode: 'balance_transfer', entity: { type: 'individual', individual }, balance_transfer: terms }),
  },
  {
    name: 'POST /opal/sessions',
    status: 400,
    path: () => `/opal/sessions/${at.session}`,
    body: () => ({ action: 'release_payments', data: { source: 'acc_x' } }),
  },
  {
    name: 'POST /simulate/opal/sessions',
    status: 200,
    path: () => `/simulate/opal/sessions/${at.session}`,
    body: () => ({ allocations: { [at.account]: 10_000 } }),
  },
]

describe.each(endpoints)('$name', ({ path, body, free, status = 200, method = 'POST' }) => {
  it('refuses a wrong type at every field: the sentence names the field and what would be right, not what was sent', async () => {
    const cases = spoiled(body(), free)
    expect(cases.length).toBeGreaterThan(0)
    for (const [index, wrong] of cases.entries()) {
      const headers = index % 2 ? { 'service-version': NEWEST } : {}
      const reply = await service.call(method, path(), wrong.body, headers as Record<string, string>)
      const what = `${wrong.place} = ${JSON.stringify(wrong.value)}`
      expect([what, reply.status]).toEqual([what, 400])
      const { message } = errorOf(reply.body)
      const last = wrong.place
        .replace(/\[\d+\]$/, '')
        .split('.')
        .at(-1)!
      expect([what, message, message.includes(last)]).toEqual([what, message, true])
      expect(message).toMatch(/^[a-z_].* (must|cannot|is required|has|names|can|not)\b.*\.$|^Send |^Liabilities/)
      expect([what, message]).toEqual([what, expect.not.stringContaining('canary-value')])
      expect(message).not.toContain('7.25')
    }
  })

  it('takes the good body', async () => {
    const reply = await service.call(method, path(), body())
    expect([reply.status, status === 200 ? reply.text.slice(0, 0) : reply.text]).toEqual([
      status,
      status === 200 ? '' : reply.text,
    ])
  })
})

describe('8 metadata', () => {
  const sizes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
  it.each([
    ['/entities', () => ({ type: 'individual', individual: {} }), 'MAX_ENTITY_METADATA_SIZE_EXCEEDED'],
    [
      '/accounts',
      () => ({ holder_id: at.entity, ach: { routing: '062103000', number: '12345678', type: 'checking' } }),
      'MAX_ACCOUNT_METADATA_SIZE_EXCEEDED',
    ],
  ] as const)('8 metadata of %s has less than 1,024 bytes of compact UTF-8 JSON', async (path, base, sub_type) => {
    const send = (metadata: unknown) => service.call('POST', path, { ...base(), metadata })
    expect((await send(sizes(1_023))).body['metadata']).toEqual(sizes(1_023))
    expect(errorOf((await send(sizes(1_024))).body).sub_type).toBe(sub_type)
    expect(errorOf((await send({ a: 'ü'.repeat(510) })).body).sub_type).toBe(sub_type)
    const spaced = await service.call('POST', path, JSON.stringify({ ...base(), metadata: sizes(1_000) }, null, 40))
    expect(spaced.status).toBe(200)
    for (const wrong of [[], 'x', 5, true]) {
      const reply = await send(wrong)
      expect([reply.status, errorOf(reply.body).message]).toEqual([400, 'metadata must be a JSON object.'])
    }
  })
})
