import { describe, expect, it } from 'vitest'
import { arrive, arriveAs, atSelection, Person, someone, transferToken, verify } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const begin = async (phone: string) => {
  const person = await arrive(service, phone)
  await person.arriveAtAccounts()
  return person
}

describe('blocked', () => {
  it('allows a retry for a frozen file, but not for a thin one', async () => {
    const frozen = await begin('+15125550107')
    const bureau = service.deps.ports.network.bureau()
    expect(bureau?.url).toMatch(/^https:/)
    expect(frozen.view.data).toMatchObject({ reason: 'credit_freeze', can_retry: true, bureau })
    await frozen.send({ action: 'retry' })
    await frozen.wait()
    expect(frozen.data('blocked').reason).toBe('credit_freeze')
    const thin = await begin('+15125550106')
    expect(thin.view.data).toMatchObject({ can_retry: false })
  })

  it('continues with an account that the customer adds by its number, after no accounts were found', async () => {
    const entity = await someone(service, '+15125550105')
    const person = await arriveAs(service, entity)
    await person.arriveAtAccounts()
    expect(person.data('blocked').reason).toBe('no_accounts')
    const liability = { mch_id: 'mch_302086', account_number: '4936494462408721' }
    expect((await service.call('POST', '/accounts', { holder_id: entity, liability })).status).toBe(200)
    await verify(service, person)
    expect(person.data('selection').accounts).toMatchObject([{ mask: '8721' }])
  })

  it('reports terms that no amounts can satisfy before anything is typed, in cents', async () => {
    const { person } = await atSelection(service, '+15125550112', { loan_amount: 500_000, residual_amount_max: 0 })
    expect(person.view.data).toMatchObject({
      reason: 'infeasible_terms',
      can_retry: false,
      shortfall: 500_000 - 59_950,
      least: 500_000,
    })
    expect(person.data('blocked')).toMatchObject({ feasible: 59_950, requested: null })
    const fitting = await atSelection(service, '+15125550112', { loan_amount: 59_950, residual_amount_max: 0 })
    expect(fitting.person.data('selection').shortfall).toBe(0)
  })
})

describe('a request for a smaller loan', () => {
  const terms = { loan_amount: 500_000, residual_amount_max: 100_000 }
  const requested = async (session: string) => {
    const { body } = await service.call('GET', `/opal/sessions/${session}`)
    return (body['data'] as { bt: Record<string, unknown> }).bt['requested_loan_amount']
  }
  const updates = async (session: string) => {
    const { body } = await service.call('GET', `/events?resource_id=${session}&type=opal_session.update`)
    return (body['data'] as { diff: { after: { bt: Record<string, unknown> } } }[]).map(
      event => event.diff.after.bt['requested_loan_amount'],
    )
  }

  it('notifies the customer once of the largest loan that the accounts can take', async () => {
    const { person, session, entity } = await atSelection(service, '+15125550112', terms)
    const feasible = 59_950 + 100_000
    expect(person.data('blocked')).toMatchObject({ reason: 'infeasible_terms', feasible, requested: null })
    expect(await requested(session)).toBeUndefined()
    const told = []
    for (let times = 0; times < 2; times++) {
      await person.send({ action: 'request_loan' })
      told.push(...person.view.events)
    }
    expect(person.data('blocked')).toMatchObject({ reason: 'infeasible_terms', feasible, requested: feasible })
    expect(await requested(session)).toBe(feasible)
    expect(await updates(session)).toEqual([feasible])
    const events = told.filter(event => event.type === 'balance_transfer.loan.requested')
    expect(events.map(event => event.data)).toEqual([{ session_id: session, entity_id: entity, loan_amount: feasible }])
  })

  it('is met by a token with that amount', async () => {
    const { person, entity } = await atSelection(service, '+15125550112', terms)
    const { feasible } = person.data('blocked')
    const more = { ...terms, loan_amount: feasible }
    const again = await Person.arrive(service, (await transferToken(service, entity, more)).element_token)
    await verify(service, again)
    expect(again.data('selection').shortfall).toBe(0)
  })

  it('is rejected if no account can take the minimum, or for another reason', async () => {
    const { person } = await atSelection(service, '+15125550112', { ...terms, minimum_payment: 400_000 })
    expect(person.data('blocked')).toMatchObject({ reason: 'infeasible_terms', feasible: 0 })
    expect((await person.send({ action: 'request_loan' })).body.error?.sub_type).toBe('INVALID_REQUEST')
    const thin = await begin('+15125550106')
    expect((await thin.send({ action: 'request_loan' })).body.error?.sub_type).toBe('INVALID_REQUEST')
  })
})
