import { expect, test } from 'vitest'
import { address, call, details, testSandbox } from './fixtures.js'

const { identity } = testSandbox()

test('a code is sent to any valid number, known or not', async () => {
  expect(await identity.sendCode({ ...call, phone: '+15125550100' })).toEqual({ status: 'sent' })
  expect(await identity.sendCode({ ...call, phone: '+12125550143' })).toEqual({ status: 'sent' })
})

test.each(['+15125550199', '+11125550100', '5125550100', '+442071838750'])('no code is sent to %s', async phone => {
  expect(await identity.sendCode({ ...call, phone })).toEqual({ status: 'refused' })
})

test.each([
  ['000000', 'incorrect'],
  ['111111', 'expired'],
  ['123456', 'correct'],
  ['12345', 'incorrect'],
  ['1234567', 'incorrect'],
  ['12345a', 'incorrect'],
])('the code %s is %s', async (code, status) => {
  expect(await identity.checkCode({ ...call, phone: '+15125550100', code })).toEqual({ status })
})

test('a name and a phone number are enough for most people', async () => {
  const answer = await identity.match({ ...call, details: details('+15125550100') })
  expect(answer).toEqual({ matched: true, person: 'sbx_p00', questions: false })
})

test('the name and phone number are missing until they are provided', async () => {
  const nobody = details(null, { first_name: null })
  expect(await identity.match({ ...call, details: nobody })).toMatchObject({
    matched: false,
    missing: expect.arrayContaining(['name', 'phone']),
  })
  expect(await identity.match({ ...call, details: details('+15125550100', { first_name: '' }) })).toEqual({
    matched: false,
    missing: ['name'],
  })
})

test.each([
  ['+15125550102', 'sbx_p02', ['dob']],
  ['+15125550103', 'sbx_p03', ['dob', 'address', 'ssn_4']],
  ['+15121231112', 'sbx_p14', ['dob']],
  ['+15121231113', 'sbx_p15', ['dob', 'address']],
])('%s requires more details, and then matches', async (phone, person, missing) => {
  expect(await identity.match({ ...call, details: details(phone) })).toEqual({ matched: false, missing })
  const all = details(phone, { dob: '1990-02-03', address, ssn_4: '1234' })
  expect(await identity.match({ ...call, details: all })).toMatchObject({ matched: true, person })
})

test('half an address still counts as missing, and a full SSN is matched by its last four digits', async () => {
  const half = details('+15125550103', { dob: '1990-02-03', ssn: '123456789', address: { ...address, zip: null } })
  expect(await identity.match({ ...call, details: half })).toEqual({ matched: false, missing: ['address'] })
})

test("rejected details don't match anyone, and no more details are requested", async () => {
  const nomatch = details('+15125550100', { last_name: 'Nomatch' })
  expect(await identity.match({ ...call, details: nomatch })).toEqual({ matched: false, missing: [] })
  const zeros = details('+15125550103', { dob: '1990-02-03', address, ssn_4: '0000' })
  expect(await identity.match({ ...call, details: zeros })).toEqual({ matched: false, missing: [] })
})

test('two people with the same name are distinguished by the last four digits of the SSN', async () => {
  const match = (ssn_4: string | null) => identity.match({ ...call, details: details('+16505551115', { ssn_4 }) })
  expect(await match(null)).toEqual({ matched: false, missing: ['ssn_4'] })
  expect(await match('1234')).toEqual({ matched: false, missing: [] })
  expect(await match('3333')).toMatchObject({ matched: true, person: 'sbx_p17' })
})

test('an unknown number requires all details and never matches', async () => {
  const phone = '+12125550143'
  expect(await identity.match({ ...call, details: details(phone) })).toEqual({
    matched: false,
    missing: ['dob', 'address', 'ssn_4'],
  })
  const all = details(phone, { dob: '1990-02-03', address, ssn_4: '1234' })
  expect(await identity.match({ ...call, details: all })).toEqual({ matched: false, missing: [] })
})

test('a person who has no questions is asked none, and an empty answer is correct', async () => {
  expect(await identity.questions({ ...call, person: 'sbx_p00', round: 0 })).toEqual({ questions: [] })
  expect(await identity.answer({ ...call, person: 'sbx_p00', round: 0, answers: [] })).toEqual({ status: 'correct' })
})

const person = 'sbx_p04'
async function answersOf(round: number, marked: string) {
  const { questions } = await identity.questions({ ...call, person, round })
  return questions.map(question => ({
    question_id: question.id,
    answer_id: question.answers.find(answer => answer.text.endsWith(marked))!.id,
  }))
}

test('asks three questions with five answers each, one of which is correct', async () => {
  const { matched } = await identity.match({ ...call, details: details('+15125550104') })
  expect(matched).toBe(true)
  const { questions } = await identity.questions({ ...call, person, round: 0 })
  expect(questions).toHaveLength(3)
  for (const question of questions) {
    expect(question.answers).toHaveLength(5)
    expect(question.answers.filter(answer => answer.text.endsWith('(Correct)'))).toHaveLength(1)
    expect(question.answers.filter(answer => answer.text.endsWith('(Incorrect)'))).toHaveLength(4)
  }
  expect(Object.keys(questions[0]!).sort()).toEqual(['answers', 'id', 'text'])
})

test('right answers are accepted; wrong, missing and duplicate ones are not', async () => {
  const right = await answersOf(0, '(Correct)')
  const wrong = await answersOf(0, '(Incorrect)')
  const answer = (answers: typeof right) => identity.answer({ ...call, person, round: 0, answers })
  expect(await answer(right)).toEqual({ status: 'correct' })
  expect(await answer([...right.slice(0, 2), wrong[2]!])).toEqual({ status: 'incorrect' })
  expect(await answer(right.slice(0, 2))).toEqual({ status: 'incorrect' })
  expect(await answer([...wrong, ...right])).toEqual({ status: 'incorrect' })
})

test('the next round has different questions, and answers to the previous round no longer count', async () => {
  const texts = async (round: number) =>
    (await identity.questions({ ...call, person, round })).questions.map(q => q.text)
  const [first, second] = [await texts(0), await texts(1)]
  expect(second.filter(text => first.includes(text))).toEqual([])
  const stale = await answersOf(0, '(Correct)')
  expect(await identity.answer({ ...call, person, round: 1, answers: stale })).toEqual({ status: 'incorrect' })
})

test('a repeated request returns the same round', async () => {
  const again = testSandbox().identity
  expect(await again.questions({ ...call, request_id: 'req_2', person, round: 2 })).toEqual(
    await identity.questions({ ...call, person, round: 2 }),
  )
})
