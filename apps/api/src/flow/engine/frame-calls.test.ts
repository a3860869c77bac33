import { describe, expect, it } from 'vitest'
import { arrive, atAllocation, frameCall } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

describe('every step', () => {
  it('an unknown step returns 404, a step that is not current returns 409, and an impossible back returns 400', async () => {
    const person = await arrive(service, '+15125550101')
    expect((await person.send({}, 'nowhere')).status).toBe(404)
    const other = await person.send({ action: 'confirm' }, 'review')
    expect([other.status, other.body.error?.sub_type, other.body.view?.step]).toEqual([
      409,
      'STALE_REVISION',
      'consent',
    ])
    await person.look()
    expect((await person.send({ action: 'back' })).status).toBe(400)
  })

  it('rejecting the call itself changes nothing: the same revision can be sent again', async () => {
    const { person, accounts } = await atAllocation(service, '+15125550110')
    const { revision } = person.view
    const bad = await person.send({ action: 'review', allocations: { [accounts[0]!]: 'all' } })
    expect([bad.status, bad.body.error?.message]).toEqual([400, `allocations.${accounts[0]} must be a number.`])
    const good = await person.send(
      { action: 'review', allocations: { [accounts[0]!]: 200_000 } },
      'allocation',
      revision,
    )
    expect([good.status, person.view.step]).toEqual([200, 'review'])
  })

  it('bodies that are not an input return 400', async () => {
    const person = await arrive(service, '+15125550101')
    const post = (body: unknown) =>
      frameCall(service, 'POST', '/s/steps/consent', body, { authorization: `Bearer ${person.bearer}` })
    for (const body of [
      [],
      {},
      { revision: 'x', input: {} },
      { revision: 1.5, input: {} },
      { revision: 1 },
      { revision: 1, input: [] },
    ])
      expect((await post(body)).status).toBe(400)
    expect((await person.look()).step).toBe('consent')
  })
})
