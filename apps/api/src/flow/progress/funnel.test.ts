import { describe, expect, it } from 'vitest'
import { confirmed, LOAN, Person, someone, transferToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'
import { funnelOf } from './funnel.js'

describe('the funnel', () => {
  it('counts who saw a step, who moved on, who stayed, and the median time', () => {
    const walk = (completed: boolean, ...steps: ['consent' | 'phone' | 'code' | 'done', number][]) => ({
      completed,
      steps: steps.map(([step, at]) => ({ step, at })),
    })
    expect(
      funnelOf([
        walk(false),
        walk(false, ['consent', 0]),
        walk(false, ['consent', 0], ['phone', 10], ['code', 30], ['phone', 40]),
        walk(true, ['consent', 0], ['phone', 30], ['code', 40], ['code', 60], ['done', 80]),
      ]),
    ).toEqual([
      { step: 'consent', entered: 3, completed: 2, left: 1, median_ms: 10 },
      { step: 'phone', entered: 2, completed: 1, left: 1, median_ms: 10 },
      { step: 'code', entered: 2, completed: 2, left: 0, median_ms: 10 },
      { step: 'done', entered: 1, completed: 1, left: 0, median_ms: null },
    ])
  })
})

describe('GET /stats/funnel', async () => {
  const service = await testService()

  const funnel = async (query = '') => {
    const { status, body, text } = await service.call('GET', `/stats/funnel${query}`)
    expect(status, text).toBe(200)
    return body as unknown as {
      data: { step: string; entered: number; left: number; reasons: object[] }[]
      sessions: number
    }
  }

  it("counts the last days' sessions by mode, with the reasons for the blocked ones", async () => {
    expect(await funnel('?mode=connect')).toMatchObject({ data: [], sessions: 0 })
    await confirmed(service, '+15125550100')
    const blocked = await transferToken(service, await someone(service, '+15125550105'), LOAN)
    await (await Person.arrive(service, blocked.element_token)).arriveAtAccounts()
    const { data, sessions } = await funnel()
    const at = (step: string) => data.find(each => each.step === step)
    expect(sessions).toBe(2)
    expect(at('consent')).toMatchObject({ entered: 2, completed: 2, left: 0, reasons: [] })
    expect(at('done')).toMatchObject({ entered: 1, completed: 1, left: 0 })
    expect(at('blocked')).toMatchObject({ entered: 1, left: 1, reasons: [{ code: 'no_accounts', count: 1 }] })
    service.advance(8 * 86_400_000)
    expect(await funnel()).toMatchObject({ data: [], sessions: 0 })
  })
})
