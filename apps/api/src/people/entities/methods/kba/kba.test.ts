import type { KbaQuestion } from '@causeway/connector/ports/identity'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { beforeEach, describe, expect, it } from 'vitest'
import { rejectionOf } from '../../../../testing/contract/cases.js'
import { someone } from '../../../../testing/frame.js'
import { testService } from '../../../../testing/service.js'
import { entitySessions, kba } from '../../../../testing/verification.js'

/** Replaces the questions of a later round. */
let further: (() => { questions: KbaQuestion[] }) | undefined
/** If true, the response is lost after the answer has been checked. */
let lost = false
/** If true, the search for the person is not answered. */
let isSearchLost = false
const service = await testService({
  ports: ports => ({
    ...ports,
    identity: {
      ...ports.identity,
      async match(call) {
        if (isSearchLost) throw new OutsideError('the response was lost')
        return ports.identity.match(call)
      },
      questions: async call => (call.round > 0 && further ? further() : ports.identity.questions(call)),
      async answer(call) {
        const judged = await ports.identity.answer(call)
        if (lost) throw new OutsideError('the response was lost')
        return judged
      },
    },
  }),
})
beforeEach(() => {
  further = undefined
  lost = false
  isSearchLost = false
})

const sessions = entitySessions(service)
const wrong = [{ question_id: 'none', answer_id: 'none' }]

/** Starts a session with knowledge questions. */
async function begun() {
  const path = `/entities/${await someone(service, '+15125550104')}/verification_sessions`
  const timestamp = '2021-01-01T10:00:00.000Z'
  await service.call('POST', path, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
  const { id, kba } = (await service.call('POST', path, { type: 'identity', method: 'kba', kba: {} })).body as {
    id: string
    kba: { questions: KbaQuestion[] }
  }
  return {
    questions: kba.questions,
    right: kba.questions.map(question => ({
      question_id: question.id,
      answer_id: question.answers.find(one => one.text.endsWith('(Correct)'))!.id,
    })),
    answer: (answers: unknown) =>
      service.call('PUT', `${path}/${id}`, { type: 'identity', method: 'kba', kba: { answers } }),
  }
}

it('an answer whose response was lost uses up no attempt, and can be given again', async () => {
  const { right, answer } = await begun()
  lost = true
  for (let times = 0; times < 3; times++) expect(rejectionOf(await answer(right))).toBe('SERVICE_UNAVAILABLE')
  lost = false
  expect((await answer(wrong)).body).toMatchObject({ status: 'in_progress', error: { code: 19004 } })
})

it('a malformed list of answers uses up no attempt', async () => {
  const { right, answer } = await begun()
  for (const each of [undefined, 'a', [{}], [{ question_id: 1, answer_id: 2 }]])
    expect(rejectionOf(await answer(each))).toBe('INVALID_REQUEST')
  expect((await answer(right)).body).toMatchObject({ status: 'verified' })
})

it('a wrong round counts even if no other questions are available: its questions remain for the last attempt', async () => {
  const { questions, answer } = await begun()
  further = () => {
    throw new OutsideError('no answer')
  }
  const told = (await answer(wrong)).body
  expect(told).toMatchObject({ status: 'in_progress', kba: { questions }, error: { code: 19004 } })
  expect((await answer(wrong)).body).toMatchObject({ status: 'failed', error: { code: 19004 } })
})

// kills: wrong-answers-verify-nothing
it('a wrong round without further questions fails the session', async () => {
  const { answer } = await begun()
  further = () => ({ questions: [] })
  expect((await answer(wrong)).body).toMatchObject({
    status: 'failed',
    kba: { questions: [], authenticated: false },
    error: { code: 19004 },
  })
})

describe('verifying an identity', () => {
  it('the phone is verified first, then the identity is matched', async () => {
    const { begin } = await sessions()
    expect(rejectionOf(await begin(kba))).toBe('MISSING_PHONE_VERIFICATION')
    const unmatched = await sessions('+15125550103')
    const begun = (
      await unmatched.begin({ type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2021-01-01T10:00:00Z' } })
    ).body
    expect(begun['status']).toBe('verified')
    expect(rejectionOf(await unmatched.begin(kba))).toBe('MISSING_IDENTITY_MATCH')
  })

  it('correct answers verify the identity, and the entity becomes active', async () => {
    const { begin, answer, show } = await sessions('+15125550104')
    await begin({ type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2021-01-01T10:00:00Z' } })
    const begun = (await begin(kba)).body
    const { questions } = begun['kba'] as { questions: { id: string; answers: { id: string; text: string }[] }[] }
    expect(questions).toHaveLength(3)
    expect(questions.every(question => question.answers.length === 5)).toBe(true)
    const answers = questions.map(question => ({
      question_id: question.id,
      answer_id: question.answers.find(one => one.text.endsWith('(Correct)'))!.id,
    }))
    const done = await answer(begun['id'], { type: 'identity', method: 'kba', kba: { answers } })
    expect(done.body).toMatchObject({ status: 'verified', kba: { questions: [], authenticated: true } })
    expect(await show()).toMatchObject({
      status: 'active',
      products: ['connect', 'credit_score', 'identity', 'attribute', 'vehicle'],
    })
  })

  it('a wrong round leads to other questions, and a second wrong round fails with 19004', async () => {
    const { begin, answer } = await sessions('+15125550104')
    await begin({ type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2021-01-01T10:00:00Z' } })
    const begun = (await begin(kba)).body
    const wrong = { type: 'identity', method: 'kba', kba: { answers: [] } }
    const second = (await answer(begun['id'], wrong)).body
    expect(second).toMatchObject({ status: 'in_progress', error: { code: 19004 } })
    expect(second['kba']['questions'][0]).not.toEqual(begun['kba']['questions'][0])
    expect((await answer(begun['id'], wrong)).body).toMatchObject({ status: 'failed', error: { code: 19004 } })
  })
})

// kills: pending-match-is-no-mismatch
it('a session that starts while the search for the person is repeated is refused with 503, and succeeds later', async () => {
  isSearchLost = true
  const path = `/entities/${await someone(service, '+15125550104')}/verification_sessions`
  const timestamp = '2021-01-01T10:00:00.000Z'
  await service.call('POST', path, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
  const start = () => service.call('POST', path, { type: 'identity', method: 'kba', kba: {} })
  const refused = await start()
  expect([refused.status, rejectionOf(refused)]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(refused.headers.get('retry-after')).toBe('5')
  isSearchLost = false
  service.advance(60_000)
  await service.settle()
  expect((await start()).status).toBe(200)
})
