import { describe, expect, it } from 'vitest'
import { frameCall, Person, someone, verify } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

/** Takes a person with this phone through a connect flow until their accounts are found. */
async function arrive(phone: string, connect: Record<string, unknown>, kind: 'element' | 'opal' = 'element') {
  const entity = await someone(service, phone)
  const made =
    kind === 'element'
      ? await service.call('POST', '/elements/token', { type: 'connect', entity_id: entity, connect })
      : await service.call('POST', '/opal/token', { mode: 'connect', entity_id: entity, connect })
  if (made.status !== 200) throw new Error(made.text)
  const token = kind === 'element' ? made.body['element_token'] : made.body['data']['token']
  const person = await verify(service, await Person.arrive(service, token))
  return { person, entity, token: token as string }
}
const reasons = (person: Person) =>
  [...person.data('selection').accounts]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(account => account.reason ?? account.status)
const ids = (person: Person) =>
  person
    .data('selection')
    .accounts.filter(account => account.status !== 'ineligible')
    .map(account => account.id)

describe('connect', () => {
  it('links the chosen accounts, requests the products, and notifies the host page and the customer', async () => {
    const { person, entity, token } = await arrive('+15125550101', { products: ['balance'] })
    const [first, second] = ids(person)
    await person.send({ action: 'select', accounts: [first, second] })
    expect(person.data('done')).toMatchObject({ terms: null, payout_status: null, editable: false })
    expect(person.view.accounts).toEqual([first, second].sort())
    expect(person.view.events.map(event => event.type)).toEqual([
      'connect.accounts.selected',
      'connect.step.completed',
      'connect.flow.completed',
      'opal.session.completed',
    ])
    await service.settle()
    const account = await service.call('GET', `/accounts/${first}?expand[]=balance`)
    expect(account.body['balance']).toMatchObject({ status: 'completed' })
    const results = await service.call('GET', `/elements/token/${token}/results`)
    expect(results.body).toMatchObject({
      authenticated: true,
      entity_id: entity,
      cxn_id: expect.stringMatching(/^cxn_/),
    })
    expect([...(results.body['accounts'] as string[])].sort()).toEqual([first, second].sort())
    const { body } = await service.call('GET', `/opal/sessions/${person.view.session_id}`)
    expect(body['data']).toMatchObject({ bt: null, completed_at: expect.stringMatching(/^2026-/) })
  })

  // kills: results-of-existing-clients
  it('reports the results under /enveloped as the operations that existing clients know', async () => {
    const { person, entity, token } = await arrive('+15125550101', {})
    const events = async () => {
      const { body } = await service.call('GET', `/enveloped/elements/token/${token}/results`)
      return (body['data'] as { events: { type: string; metadata: unknown }[] }).events
    }
    const open = { type: 'open', metadata: { element_type: 'connect', op: 'open' } }
    expect(await events()).toEqual([{ ...open, timestamp: expect.any(String) }])
    await frameCall(service, 'POST', '/s/exit', {}, { authorization: `Bearer ${person.bearer}` })
    const exit = { type: 'exit', metadata: { element_type: 'connect', op: 'exit' } }
    expect(await events()).toMatchObject([open, exit])
    const accounts = ids(person)
    await person.send({ action: 'select', accounts })
    const success = { element_type: 'connect', op: 'success', entity_id: entity, accounts: [...accounts].sort() }
    expect(await events()).toMatchObject([open, exit, { type: 'success', metadata: success }])
  })

  it('reports under /enveloped the error that ends a flow', async () => {
    const { token } = await arrive('+15125550107', {})
    const { body } = await service.call('GET', `/enveloped/elements/token/${token}/results`)
    expect(body['data']).toMatchObject({
      events: [
        { type: 'open' },
        { type: 'error', metadata: { element_type: 'connect', op: 'error', sub_type: expect.any(String) } },
      ],
    })
  })

  it('returns an error that names a session to continue if the team does not have it', async () => {
    for (const path of ['/elements/token', '/opal/token']) {
      const { status, text } = await service.call('POST', path, {
        ...(path === '/opal/token' ? { mode: 'connect' } : { type: 'connect' }),
        session_id: 'osess_0000000000000',
      })
      expect([status, text]).toEqual([404, expect.stringContaining('for session_id osess_0000000000000.')])
    }
  })

  it('single links exactly one account', async () => {
    const { person } = await arrive('+15125550101', { account_filters: { selection_type: 'single' } })
    expect(person.data('selection').kind).toBe('single')
    await person.send({ action: 'select', accounts: ids(person).slice(0, 2) })
    expect(person.view.errors).toEqual([{ field: 'accounts', code: 'one_only', values: {} }])
    await person.send({ action: 'select', accounts: ids(person).slice(0, 1) })
    expect(person.view.step).toBe('done')
  })

  it('all selects every eligible account, whatever was sent, and an Opal token starts this way', async () => {
    const { person } = await arrive('+15125550101', {}, 'opal')
    expect(person.data('selection').kind).toBe('all')
    await person.send({ action: 'select', accounts: [] })
    expect(person.view.accounts).toHaveLength(4)
  })

  it('excluded types are shown with the reason and cannot be chosen', async () => {
    const { person } = await arrive('+15125550101', { account_filters: { liability_types: ['auto_loan'] } })
    expect(reasons(person)).toEqual(['excluded', 'excluded', 'excluded', 'ready'])
    const loans = await arrive('+15121231113', { account_filters: { liability_types: ['student_loan', 'mortgage'] } })
    expect(reasons(loans.person)).toEqual(['ready', 'ready', 'excluded'])
  })

  it("an Opal token's include and exclude filters both apply", async () => {
    const filters = (account_filters: unknown) =>
      arrive('+15125550100', { selection_type: 'multiple', account_filters }, 'opal')
    const cards = await filters({ include: { account_types: ['credit_card'] }, exclude: { mch_ids: ['mch_302086'] } })
    expect(reasons(cards.person)).toEqual(['excluded', 'ready', 'excluded', 'excluded', 'ready'])
    const known = await filters({ exclude: { unverified_account_numbers: true, account_types: ['personal_loan'] } })
    expect(reasons(known.person)).toEqual(['ready', 'excluded', 'excluded', 'ready', 'ready'])
    const updated = await filters({ include: { products: ['update'] } })
    expect(reasons(updated.person)[3]).toBe('product_unavailable')
  })

  it('treats an empty filter list like a missing one', async () => {
    const all = ['ready', 'ready', 'ready', 'ready']
    const opal = await arrive(
      '+15125550101',
      {
        selection_type: 'multiple',
        account_filters: { include: { account_types: [], products: [] }, exclude: { account_types: [], mch_ids: [] } },
      },
      'opal',
    )
    expect(reasons(opal.person)).toEqual(all)
    const element = await arrive('+15125550101', { accounts: [], account_filters: { liability_types: [] } })
    expect(reasons(element.person)).toEqual(all)
  })

  it('treats the filter student_loans like student_loan', async () => {
    const one = await arrive('+15121231113', { account_filters: { liability_types: ['student_loan'] } })
    const other = await arrive('+15121231113', { account_filters: { liability_types: ['student_loans'] } })
    expect(reasons(one.person)).toEqual(['excluded', 'ready', 'excluded'])
    expect(reasons(other.person)).toEqual(['excluded', 'ready', 'excluded'])
  })

  it('requests a missing number if the products include payment', async () => {
    const { person } = await arrive('+15125550100', { products: ['payment'] })
    expect(reasons(person)).toEqual(['ready', 'needs_number', 'ready', 'no_payment_rail', 'ready'])
    const needs = person.data('selection').accounts.find(account => account.status === 'needs_number')!
    await person.send({ action: 'select', accounts: [needs.id] })
    await person.send({ action: 'submit', number: '4000000000090342' })
    expect([person.view.step, person.view.accounts]).toEqual(['done', [needs.id]])
  })

  it('offers only the accounts in connect.accounts, which need their holder', async () => {
    const first = await arrive('+15125550101', {})
    const wanted = ids(first.person)[2]!
    const made = await service.call('POST', '/elements/token', {
      type: 'connect',
      entity_id: first.entity,
      connect: { accounts: [wanted] },
    })
    const person = await verify(service, await Person.arrive(service, made.body['element_token']))
    expect(ids(person)).toEqual([wanted])
    const alone = await service.call('POST', '/elements/token', { type: 'connect', connect: { accounts: [wanted] } })
    expect(alone.status).toBe(400)
  })

  it('ends and says so if no account is eligible', async () => {
    const { person } = await arrive('+15125550112', { account_filters: { liability_types: ['mortgage'] } })
    expect(person.view.data).toMatchObject({ reason: 'none_eligible', can_retry: false })
  })
})
