import { describe, expect, it } from 'vitest'
import { rejectionOf, speaking, timestamp } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { eventsOf as eventsIn } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const entity = await lender(service).verified('+15121231111')

const times = { created_at: expect.stringMatching(timestamp), updated_at: expect.stringMatching(timestamp) }
const eventsOf = eventsIn(service)
const score = (points: number) => ({
  score: points,
  source: 'equifax',
  model: 'vantage_4',
  factors: [{ code: '00034', description: 'Too few accounts.' }],
  created_at: '2026-03-01T10:00:00.000Z',
})

describe.each(speaking)('credit scores, $name', ({ mount, headers }) => {
  it('a score stays pending until it is simulated, and is then complete and referenced', async () => {
    const call = async (method: string, path: string, body?: unknown) => {
      const reply = await service.call(method, mount + path, body, headers)
      return (mount === '' ? reply.body : reply.body['data']) as Record<string, unknown>
    }
    const made = await call('POST', `/entities/${entity}/credit_scores`)
    const pending = {
      id: expect.stringMatching(/^crs_\w{13}$/),
      entity_id: entity,
      status: 'pending',
      scores: null,
      error: null,
      ...times,
    }
    expect(made).toEqual(pending)
    await service.settle()
    const path = `/entities/${entity}/credit_scores/${made['id']}`
    expect(await call('GET', path)).toEqual(pending)
    const done = await call('POST', `/simulate${path}`, { scores: [score(734)] })
    expect(done).toEqual({ ...pending, status: 'completed', scores: [score(734)] })
    expect(await call('GET', path)).toEqual(done)
    expect((await call('GET', `/entities/${entity}`))['credit_score']).toBe(made['id'])
    expect((await call('GET', `/entities/${entity}?expand[]=credit_score`))['credit_score']).toEqual(done)
  })
})

describe('credit scores', () => {
  const path = () => `/entities/${entity}/credit_scores`
  const simulated = async (points: number) => {
    const { id } = (await service.call('POST', path())).body
    await service.call('POST', `/simulate${path()}/${id}`, { scores: [score(points)] })
    return id as string
  }

  it('only a pending score can be simulated, once, with possible values', async () => {
    const { id } = (await service.call('POST', path())).body
    const simulate = (scores: unknown) => service.call('POST', `/simulate${path()}/${id}`, { scores })
    expect(rejectionOf(await simulate([{ ...score(700), score: 200 }]))).toBe('INVALID_REQUEST')
    expect(rejectionOf(await simulate([]))).toBe('INVALID_REQUEST')
    const replies = await Promise.all([simulate([score(700)]), simulate([score(710)]), simulate([score(720)])])
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 400, 400])
    expect(rejectionOf(await simulate([score(700)]))).toBe('INVALID_STATUS')
  })

  it('a changed score sends an event with its direction', async () => {
    await simulated(650)
    expect(await eventsOf(await simulated(700))).toEqual([
      'credit_score.create',
      'credit_score.update',
      'credit_score.increased',
    ])
    expect(await eventsOf(await simulated(690))).toContain('credit_score.decreased')
    expect(await eventsOf(await simulated(690))).toEqual(['credit_score.create', 'credit_score.update'])
  })

  it('a simulated score is sent with the previous score', async () => {
    await service.call('POST', `/entities/${entity}/subscriptions`, { enroll: 'credit_score' })
    const [before, now] = [await simulated(650), await simulated(650)]
    await service.call('POST', '/simulate/events', { type: 'credit_score.increased', entity_id: entity })
    const { data } = (await service.call('GET', `/events?type=credit_score.increased&resource_id=${now}`)).body as {
      data: unknown[]
    }
    expect(data).toMatchObject([{ diff: { before: { id: before }, after: { id: now } } }])
  })

  it('a thin file fails with 23001', async () => {
    const thin = await lender(service).verified('+15125550106')
    const { id } = (await service.call('POST', `/entities/${thin}/credit_scores`)).body
    await service.settle()
    expect((await service.call('GET', `/entities/${thin}/credit_scores/${id}`)).body).toMatchObject({
      status: 'failed',
      scores: null,
      error: { type: 'CREDIT_SCORE_FAILED', code: 23001 },
    })
  })

  it('a subscription creates one each month, complete and available, and ends with the enrollment', async () => {
    const person = await lender(service).verified('+15125550100')
    const at = `/entities/${person}`
    const { id } = (await service.call('POST', `${at}/subscriptions`, { enroll: 'credit_score' })).body
    await service.call('POST', '/simulate/clock', { advance: 'P31D' })
    await service.settle()
    const { data } = (await service.call('GET', `${at}/credit_scores`)).body as { data: Record<string, unknown>[] }
    expect(data).toEqual([expect.objectContaining({ status: 'completed', scores: expect.any(Array) })])
    expect(await eventsOf(String(data[0]!['id']))).toContain('credit_score.available')
    expect((await service.call('GET', `${at}/subscriptions/${id}`)).body['latest_request_id']).toBe(data[0]!['id'])
    await service.call('DELETE', `${at}/subscriptions/${id}`)
    await service.call('POST', '/simulate/clock', { advance: 'P60D' })
    await service.settle()
    expect((await service.call('GET', `${at}/credit_scores`)).body['data']).toHaveLength(1)
  })
})
