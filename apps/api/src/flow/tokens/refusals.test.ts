import { expect, it } from 'vitest'
import { createFirstTeam } from '../../main/boot.js'
import { createVault } from '../../platform/crypto/vault.js'
import { defaultSettings } from '../../team/teams/team.js'
import { confirmed, fundingAccount, redeemToken, someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

it('an origin that needs escaping in a header or a page is rejected, for a token and for a team', async () => {
  const entity_id = await someone(service, '+15125550101')
  for (const origin of ['https://a;script-src', 'https://a,b', 'https://a"x=1', "https://a$'", 'https://a$`']) {
    const token = { type: 'connect', entity_id, connect: {}, allowed_origins: [origin] }
    expect([origin, (await service.call('POST', '/elements/token', token)).status]).toEqual([origin, 400])
    expect([origin, (await service.call('PATCH', '/team', { allowed_origins: [origin] })).status]).toEqual([
      origin,
      400,
    ])
  }
})

it('an empty list of origins is rejected, so that it cannot widen access', async () => {
  const entity_id = await someone(service, '+15125550101')
  const made = await service.call('POST', '/elements/token', {
    type: 'connect',
    entity_id,
    connect: {},
    allowed_origins: [],
  })
  expect(made.status).toBe(400)
})

it("terms sent after the release are rejected, and a plain token still shows the session's status", async () => {
  const source = await fundingAccount(service)
  const { session } = await confirmed(service, '+15125550100')
  await service.call('POST', `/opal/sessions/${session}`, { action: 'release_payments', data: { source } })
  const body = { type: 'balance_transfer', session_id: session }
  const late = await service.call('POST', '/elements/token', { ...body, balance_transfer: { loan_amount: 900_000 } })
  expect([late.status, late.body['error']['sub_type']]).toEqual([400, 'INVALID_STATUS'])
  const plain = await service.call('POST', '/elements/token', body)
  expect((await redeemToken(service, plain.body['element_token'])).status).toBe(200)
})

const ascii = 'must contain only printable ASCII characters: English letters, digits, spaces and punctuation.'
it.each([
  ['a\r\nb', ascii],
  ['\u{1f338}'.repeat(5), ascii],
  ['Pr\u00e9stamo', ascii],
  ['\u5317\u4eac', ascii],
  ['loan\u202e', ascii],
  ['\u200bloan', ascii],
  ['\u0661\u0662', ascii],
  ['elevenchars', 'must be at most 10 characters long.'],
  ['', 'must contain a letter or a digit.'],
  ['   ', 'must contain a letter or a digit.'],
  ['-/-', 'must contain a letter or a digit.'],
])('the description %j, which an ACH file cannot hold, is rejected with the reason', async (description, reason) => {
  const payment = { amount: 100, source: 'acc_1', destination: 'acc_2', description }
  const sent = [
    ['POST', '/payments', payment, 'description'],
    ['POST', '/enveloped/payments', payment, 'description'],
    ['PATCH', '/team', { payment_description: description }, 'payment_description'],
  ] as const
  for (const [method, path, body, field] of sent) {
    const { status, text } = await service.call(method, path, body)
    expect([path, status, text]).toEqual([path, 400, expect.stringContaining('INVALID_ACH_DESCRIPTION')])
    expect(text).toContain(`"${field} ${reason}"`)
  }
})

it("a team's default description is the beginning of its name in ASCII", () => {
  const descriptionOf = (name: string) => defaultSettings(name).payment_description
  expect(['Northwind Auto', 'Préstamos SA', '北京', 'A 北京'].map(descriptionOf)).toEqual([
    'Northwind',
    'Prestamos',
    'Payment',
    'A',
  ])
})

it('a body that is not read completely closes its connection', async () => {
  const reply = await service.call('POST', '/entities', `"${'x'.repeat(1_100_000)}"`, { 'content-length': '1100002' })
  expect([reply.status, reply.headers.get('connection')]).toEqual([413, 'close'])
})

it("the first key is not created if it can't be stored for the operator", async () => {
  const vault = createVault(Buffer.alloc(32, 7))
  const other = await testService()
  await other.store.write(async tx => {
    await tx.deleteFrom('api_keys').execute()
    await tx.deleteFrom('teams').execute()
  })
  const full = () => {
    throw new Error('No space left.')
  }
  await expect(createFirstTeam(other.store, vault, null, 1, full)).rejects.toThrow('No space left.')
  expect(await other.store.reader.selectFrom('teams').select('id').execute()).toEqual([])
  const kept: string[] = []
  await createFirstTeam(other.store, vault, null, 1, value => kept.push(value))
  expect(kept).toHaveLength(1)
})
