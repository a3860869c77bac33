import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../../../testing/contract/cases.js'
import { LOAN, Person, rightAnswers, someone, transferToken } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

/** Returns a person in a new session, past the consent and phone steps. */
async function arrive(entity: string, on = service): Promise<Person> {
  const person = await Person.arrive(on, (await transferToken(service, entity, LOAN)).element_token)
  await person.arriveAtAccounts()
  return person
}
const begin = async (phone: string) => arrive(await someone(service, phone))
const wrongAnswers = (person: Person) =>
  person.data('questions').questions.map(question => ({ question_id: question.id, answer_id: 'x' }))
const rounds = async (entity: string): Promise<number> => {
  const records = service.store.reader.selectFrom('records').select('data').where('holder_id', '=', entity)
  const rows = await records.where('request', 'like', '%"kba"%').execute()
  return rows.reduce((all, row) => all + (JSON.parse(row.data ?? '{}') as { tries: number }).tries, 0)
}
const locked = (person: Person) => {
  const { reason, retry_at, can_retry } = person.data('blocked')
  return { reason, can_retry, wait: Date.parse(retry_at ?? '') - Date.parse(person.view.now) }
}

describe('questions', () => {
  it('for person 04: a missing answer, a wrong round followed by other questions, then correct answers', async () => {
    const person = await begin('+15125550104')
    const first = person.data('questions')
    expect([first.questions.length, first.tries_left]).toEqual([3, 2])
    await person.send({ action: 'answer', answers: rightAnswers(person).slice(1) })
    expect(person.view.errors).toEqual([{ field: null, code: 'required', values: {} }])
    const wrong = first.questions.map(question => ({ question_id: question.id, answer_id: 'ans_none' }))
    await person.send({ action: 'answer', answers: wrong })
    expect(person.view.errors).toEqual([{ field: null, code: 'incorrect', values: { tries_left: 1 } }])
    expect(person.data('questions').questions[0]!.id).not.toBe(first.questions[0]!.id)
    await person.send({ action: 'answer', answers: rightAnswers(person) })
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  it('for person 04: two wrong rounds end the flow', async () => {
    const person = await begin('+15125550104')
    for (let round = 0; round < 2; round++)
      await person.send({
        action: 'answer',
        answers: person.data('questions').questions.map(question => ({ question_id: question.id, answer_id: 'x' })),
      })
    expect(person.data('blocked').reason).toBe('identity_failed')
  })
})

describe('going back from questions', () => {
  const unnamed = () => someone(service, '+15125550104', { first_name: undefined, last_name: undefined })
  const name = { first_name: 'Kevin', last_name: 'Doyle' }
  /** Returns the number of question sets requested for the person. */
  const sets = async (person: Person): Promise<number> => {
    const records = service.store.reader
      .selectFrom('records')
      .select('id')
      .where('holder_id', '=', person.view.entity_id)
    return (await records.where('request', 'like', '%"kba"%').execute()).length
  }
  const ids = (person: Person) => person.data('questions').questions.map(({ id }) => id)

  it('shows the typed details; leaving them unchanged returns to the same questions and uses no attempt', async () => {
    const person = await arrive(await unnamed())
    await person.send({ action: 'submit', ...name })
    const asked = ids(person)
    expect(person.view.can_go_back).toBe(true)
    for (let round = 0; round < 5; round++) {
      await person.send({ action: 'back' })
      expect(person.data('details')).toEqual({ fields: ['name'], values: name })
      expect(person.view).toMatchObject({ can_go_back: false, errors: [] })
      await person.send({ action: 'submit', ...name })
      expect(ids(person)).toEqual(asked)
    }
    await person.send({ action: 'answer', answers: rightAnswers(person) })
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  it('matches changed details again and requests a new set of questions', async () => {
    const person = await arrive(await unnamed())
    await person.send({ action: 'submit', ...name, first_name: 'Kelvin' })
    for (let round = 1; round <= 3; round++) {
      await person.send({ action: 'back' })
      await person.send({ action: 'submit', ...name, last_name: `Doyle${round}` })
      expect(person.view.step).toBe('questions')
      expect(await sets(person)).toBe(round + 1)
    }
    // No attempts to match details remain.
    expect(person.view.can_go_back).toBe(false)
    expect((await person.send({ action: 'back' })).status).toBe(400)
  })

  // kills: counted-answer-fixes-details
  it('is not offered after an answer has counted, or if nothing was typed', async () => {
    const person = await arrive(await unnamed())
    await person.send({ action: 'submit', ...name })
    await person.send({ action: 'answer', answers: wrongAnswers(person) })
    expect(person.view).toMatchObject({ step: 'questions', can_go_back: false })
    expect((await person.send({ action: 'back' })).status).toBe(400)
    expect((await begin('+15125550104')).view).toMatchObject({ step: 'questions', can_go_back: false })
  })
})

describe('knowledge questions', () => {
  // kills: answers-count-across-tokens
  it('can be answered incorrectly twice a day, regardless of the tokens used, and again the next day', async () => {
    const entity = await someone(service, '+15125550104')
    const first = await arrive(entity)
    await first.send({ action: 'answer', answers: wrongAnswers(first) })
    expect(first.view.errors).toEqual([{ field: null, code: 'incorrect', values: { tries_left: 1 } }])
    const second = await arrive(entity)
    expect(second.data('questions')).toEqual({ questions: first.data('questions').questions, tries_left: 1 })
    await second.send({ action: 'answer', answers: wrongAnswers(second) })
    for (const person of [second, await arrive(entity), await arrive(entity)])
      expect(locked(person)).toEqual({ reason: 'identity_failed', can_retry: false, wait: DAY_MS })
    await first.look()
    expect(first.view.step).toBe('blocked')

    await service.call('POST', '/simulate/clock', { advance: 'PT23H59M' })
    expect(locked(await arrive(entity)).wait).toBe(60_000)
    await service.call('POST', '/simulate/clock', { advance: 'PT1M' })
    const later = await arrive(entity)
    expect(later.data('questions').tries_left).toBe(2)
    await later.send({ action: 'answer', answers: rightAnswers(later) })
    await later.wait()
    expect(later.view.step).toBe('selection')
  })

  it('that are left until they expire count as a wrong round', async () => {
    const entity = await someone(service, '+15125550104')
    const first = await arrive(entity)
    await first.send({ action: 'answer', answers: wrongAnswers(first) })
    await service.call('POST', '/simulate/clock', { advance: 'PT11M' })
    const second = await arrive(entity)
    expect(second.data('questions').tries_left).toBe(1)
    await second.send({ action: 'answer', answers: wrongAnswers(second) })
    expect([locked(second).reason, await rounds(entity)]).toEqual(['identity_failed', 2])
  })

  // kills: answers-count-across-frames
  it('allow two attempts in total for simultaneous wrong answers from eight tokens in eight frames', async () => {
    const entity = await someone(service, '+15125550104')
    const other = service.store.engine === 'postgres' ? await service.again() : service
    const people: Person[] = []
    for (let index = 0; index < 8; index++) people.push(await arrive(entity, index % 2 ? other : service))
    for (let round = 0; round < 3; round++)
      await Promise.all(
        people.map(async person => {
          await person.look()
          if (person.view.step === 'questions') await person.send({ action: 'answer', answers: wrongAnswers(person) })
        }),
      )
    for (const person of people) {
      await person.look()
      expect(locked(person).reason).toBe('identity_failed')
    }
    expect(await rounds(entity)).toBe(2)
  })

  it("don't count an answer that could not be checked as an attempt", async () => {
    const entity = await someone(service, '+15125550104')
    const person = await arrive(entity)
    await service.fault('identity', 'failing')
    for (let round = 0; round < 3; round++) {
      await person.send({ action: 'answer', answers: wrongAnswers(person) })
      expect(person.view.errors).toEqual([{ field: null, code: 'unavailable', values: {} }])
    }
    expect(person.data('questions').tries_left).toBe(2)
    service.advance(31_000)
  })

  it('count wrong rounds in the frame and over REST together, and return the time of the next attempt', async () => {
    const entity = await someone(service, '+15125550104')
    const person = await arrive(entity)
    await person.send({ action: 'answer', answers: wrongAnswers(person) })
    const path = `/entities/${entity}/verification_sessions`
    const kba = { type: 'identity', method: 'kba', kba: {} }
    const answers = [{ question_id: 'none', answer_id: 'none' }]
    const [first, second] = [await service.call('POST', path, kba), await service.call('POST', path, kba)]
    const answer = (id: string) => service.call('PUT', `${path}/${id}`, { ...kba, kba: { answers } })
    expect((await answer(first.body['id'])).body).toMatchObject({ status: 'failed', error: { code: 19004 } })
    const limited = 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'
    for (const refused of [await answer(second.body['id']), await service.call('POST', path, kba)]) {
      expect([refused.status, rejectionOf(refused)]).toEqual([400, limited])
      expect(refused.headers.get('retry-after')).toBe(String(DAY_MS / 1000))
    }
    await person.look()
    expect(locked(person).reason).toBe('identity_failed')
    // The rejected answer did not use up an attempt in its verification session.
    expect((await service.call('GET', `${path}/${second.body['id']}`)).body).toMatchObject({ status: 'in_progress' })
    await service.call('POST', '/simulate/clock', { advance: 'P1D' })
    expect((await service.call('POST', path, kba)).body).toMatchObject({ status: 'in_progress' })
  })

  it('allow two wrong rounds among 16 simultaneous answers from eight sessions over REST', async () => {
    const entity = await someone(service, '+15125550104')
    await arrive(entity)
    const path = `/entities/${entity}/verification_sessions`
    const kba = { type: 'identity', method: 'kba', kba: {} }
    const ids: string[] = []
    for (let index = 0; index < 8; index++) ids.push((await service.call('POST', path, kba)).body['id'])
    const answers = [{ question_id: 'none', answer_id: 'none' }]
    const other = service.store.engine === 'postgres' ? await service.again() : service
    await Promise.all(
      [...ids, ...ids].map((id, index) =>
        (index % 2 ? other : service).call('PUT', `${path}/${id}`, { ...kba, kba: { answers } }),
      ),
    )
    expect(await rounds(entity)).toBe(2)
  })

  it("don't count a correct answer", async () => {
    const entity = await someone(service, '+15125550104')
    const person = await arrive(entity)
    const used = async () => {
      const rows = await service.store.reader.selectFrom('counters').selectAll().execute()
      return rows.filter(row => row.kind === 'questions').reduce((all, row) => all + row.used, 0)
    }
    const before = await used()
    await person.send({ action: 'answer', answers: wrongAnswers(person) })
    await person.send({ action: 'answer', answers: rightAnswers(person) })
    expect([person.view.step === 'questions', await used()]).toEqual([false, before + 1])
  })
})
