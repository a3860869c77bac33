import { describe, expect, it } from 'vitest'
import { arrive, arriveAs, atSelection, someone, verify } from '../../../testing/frame.js'
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
    const fitting = await atSelection(service, '+15125550112', { loan_amount: 59_950, residual_amount_max: 0 })
    expect(fitting.person.data('selection').shortfall).toBe(0)
  })
})
