import { describe, expect, it } from 'vitest'
import { errorOf, rejectionOf } from '../../testing/contract/cases.js'
import { details, Person, redeemToken } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const hidden = 'must not contain control characters, invisible characters or marks that change the direction of text.'
const faults: [string, string][] = [
  ['  ', 'must not be empty.'],
  ['a'.repeat(101), 'must be at most 100 characters long.'],
  ['\u3164', hidden],
  ['Ana\u202e', hidden],
  ['A\tna', hidden],
  ['Ana\ufffd', hidden],
  ['- 🌸', 'must contain a letter or a digit.'],
]
const person = (individual: object) => ({ type: 'individual', individual })
const company = (corporation: object) => ({ type: 'corporation', corporation: { name: 'Acme', ...corporation } })

describe('a name is rejected with the reason', () => {
  it.each<[string, string, string, (name: string) => object]>([
    ['a person', '/entities', 'individual.first_name', first_name => person({ first_name })],
    ['a last name', '/entities', 'individual.last_name', last_name => person({ first_name: 'Ana', last_name })],
    ['a company', '/entities', 'corporation.name', name => company({ name })],
    ['a trade name', '/entities', 'corporation.dba', dba => company({ dba })],
    ['an owner', '/entities', 'corporation.owners[0].last_name', last_name => company({ owners: [{ last_name }] })],
    ['a child team', '/teams', 'name', name => ({ name })],
    [
      'a person of a token',
      '/elements/token',
      'connect.entity.individual.first_name',
      first_name => ({ type: 'connect', connect: { entity: person({ first_name }) } }),
    ],
  ])('of %s', async (_what, path, field, body) => {
    for (const mount of ['', '/enveloped'])
      for (const [name, message] of faults) {
        const reply = await service.call('POST', `${mount}${path}`, body(name))
        expect([name, reply.status, reply.text.includes(`${field} ${message}`)]).toEqual([name, 400, true])
      }
  })

  it('of an entity that is changed, a brand and a page title', async () => {
    const { id } = (await service.call('POST', '/entities', person({}))).body as { id: string }
    const put = await service.call('PUT', `/entities/${id}`, { individual: { first_name: 'Ana\u202e' } })
    expect([put.status, errorOf(put.body).message]).toEqual([400, `individual.first_name ${hidden}`])
    const patch = await service.call('PATCH', '/team', { brand: { name: '\u200b' } })
    expect([patch.status, errorOf(patch.body).message]).toEqual([400, `brand.name ${hidden}`])
    const long = await service.call('PATCH', '/team', { brand: { name: 'a'.repeat(61) } })
    expect(errorOf(long.body).message).toBe('brand.name must be at most 60 characters long.')
    const title = await service.call('POST', '/elements/token', {
      type: 'connect',
      entity_id: id,
      team_name: '\u202ea',
    })
    expect([title.status, errorOf(title.body).message]).toEqual([400, `team_name ${hidden}`])
  })

  it('in an email or an address', async () => {
    const email = await service.call('POST', '/entities', person({ email: 'ana\u202e@example.com' }))
    expect(rejectionOf(email)).toBe('INVALID_ENTITY_EMAIL_ADDRESS')
    const place = await service.call('POST', '/entities', { ...person({}), address: { line1: '1 Main\u202e St' } })
    expect(errorOf(place.body).message).toBe(`address.line1 ${hidden}`)
  })
})

it('stores names unchanged, apart from surrounding spaces', async () => {
  for (const [first_name, stored] of [
    ['  José ', 'José'],
    ['Jose\u0301', 'Jose\u0301'],
    ['李', '李'],
    [`${'🌸'.repeat(99)}a`, `${'🌸'.repeat(99)}a`],
    ['می\u200cخواهم', 'می\u200cخواهم'],
  ]) {
    const reply = await service.call('POST', '/entities', person({ first_name }))
    expect(reply.body).toMatchObject({ individual: { first_name: stored } })
  }
})

it('a person with one legal name is matched and verified', async () => {
  const bank = lender(service)
  const made = await bank.must('POST', '/entities', person({ first_name: 'Suharto', phone: '+15121231111' }))
  await service.settle()
  expect(await bank.must('GET', `/entities/${made.id}`)).toMatchObject({
    individual: { first_name: 'Suharto', last_name: null },
    verification: { identity: { matched: true } },
  })
})

describe('the details step', () => {
  /** Opens the details step for a new person. */
  async function arrive(phone: string) {
    const body = { type: 'connect', connect: { entity: person({ phone }) } }
    const token = await lender(service).must('POST', '/elements/token', body)
    const { body: redeemed } = await redeemToken(service, token['element_token'] as string)
    const arrived = new Person(service, redeemed.bearer!, redeemed.view!)
    await arrived.arriveAtAccounts()
    expect(arrived.view.step).toBe('details')
    return arrived
  }
  const stored = async (id: string) =>
    (await lender(service).must('GET', `/entities/${id}`))['individual'] as Record<string, unknown>
  const newest = async () => {
    const { data } = (await service.call('GET', '/entities?page_limit=1')).body as { data: { id: string }[] }
    return data[0]!.id
  }

  it('shows an error at a name above 100 characters, and cuts nothing', async () => {
    const arrived = await arrive('+15125550100')
    const id = await newest()
    for (const [name, code] of [
      ['a'.repeat(101), 'too_long'],
      [`${'a'.repeat(199)}🌸`, 'too_long'],
      ['\u3164', 'invalid'],
      ['Ana\u202e', 'invalid'],
      ['-', 'invalid'],
      [' ', 'required'],
    ]) {
      await arrived.send({ action: 'submit', ...details, first_name: name })
      expect([name, arrived.view.errors]).toEqual([name, [{ field: 'first_name', code, values: {} }]])
    }
    expect(await stored(id)).toMatchObject({ first_name: null, last_name: null })
    await arrived.send({ action: 'submit', ...details, first_name: `${'🌸'.repeat(99)}a` })
    expect(await stored(id)).toMatchObject({ first_name: `${'🌸'.repeat(99)}a` })
  })

  it('accepts one legal name, and only if the person says so', async () => {
    const arrived = await arrive('+15125550101')
    const id = await newest()
    const { last_name: _, ...rest } = details
    await arrived.send({ action: 'submit', ...rest, first_name: 'Suharto' })
    expect(arrived.view.errors).toEqual([{ field: 'last_name', code: 'required', values: {} }])
    await arrived.send({ action: 'submit', ...rest, first_name: 'Suharto', one_name: true })
    expect(arrived.view.errors).toEqual([])
    expect(await stored(id)).toMatchObject({ first_name: 'Suharto', last_name: null })
  })
})
