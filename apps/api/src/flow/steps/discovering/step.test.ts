import { describe, expect, it } from 'vitest'
import { arrive, atSelection } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

describe('discovering', () => {
  it('shows what the service is waiting for, and accepts no input', async () => {
    const person = await arrive(service, '+15125550110')
    await person.consent()
    await person.send({ action: 'verify', code: '123456' })
    expect(person.data('discovering')).toMatchObject({ asking: ['bureau'], slow: false })
    service.advance(6_001)
    await person.look()
    expect(person.data('discovering').slow).toBe(true)
    const { status, body } = await person.send({ action: 'skip' })
    expect([status, body.error?.message]).toEqual([400, 'The discovering step accepts no input.'])
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  it("continues for person 09 without the third institution's balance, which is unavailable", async () => {
    const { person } = await atSelection(service, '+15125550109')
    const balances = person.data('selection').accounts.map(account => account.balance)
    expect(balances).toEqual([364_500, 201_875, null])
  })
})
