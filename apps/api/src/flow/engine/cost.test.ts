import { expect, it } from 'vitest'
import { details, LOAN, Person, rightAnswers, someone, transferToken } from '../../testing/frame.js'
import { counter } from '../../testing/queries/counting.js'
import { testService } from '../../testing/service.js'

const counting = counter()
const service = await testService({ store: counting.store })

/**
 * Makes one frame call.
 * @returns the number of SQL statements, and the result
 */
async function cost<T>(call: () => Promise<T>): Promise<[number, T]> {
  await service.settle()
  counting.taken()
  counting.largest()
  const value = await call()
  expect(counting.largest()).toBeLessThanOrEqual(mostTogether)
  return [counting.taken(), value]
}

/**
 * Sends one input and checks that the session moves to the next step.
 * @returns the number of SQL statements
 */
async function step(person: Person, next: string, input: Record<string, unknown>): Promise<number> {
  const [statements] = await cost(() => person.send(input))
  expect([person.view.step, person.view.errors]).toEqual([next, []])
  return statements
}

const accept = (person: Person) => ({ action: 'accept', documents: person.data('consent').documents, locale: 'en' })

async function begin(phone: string) {
  const { element_token } = await transferToken(service, await someone(service, phone), LOAN)
  return cost(() => Person.arrive(service, element_token))
}

/**
 * The maximum number of statements per call. `code` and `details` exceed 20 because each has three stages, and each
 * stage must be stored before the next one starts. The first stage records the attempt. The second stores the external
 * service's result and requests questions. The third stores the response and searches for accounts. `selection` shares
 * the chosen accounts with the customer, with the same number of statements for any number of accounts.
 */
const most = {
  redeem: 11,
  consent: 18,
  code: 28,
  look: 5,
  selection: 18,
  number: 18,
  allocation: 5,
  review: 9,
  details: 30,
  questions: 18,
  card: 20,
}

/** The maximum number of statements in any single transaction of these calls. */
const mostTogether = 15

/** Lists the calls that exceed their maximum. */
const over = (costs: Partial<typeof most>) =>
  Object.entries(costs).filter(([name, statements]) => statements > most[name as keyof typeof most])

it('a frame call reads its session once: a balance transfer', async () => {
  const [redeem, person] = await begin('+15125550100')
  const consent = await step(person, 'code', accept(person))
  const code = await step(person, 'discovering', { action: 'verify', code: '123456' })
  const [look] = await cost(() => person.look())
  await person.wait()
  const ready = person.data('selection').accounts.filter(account => account.status !== 'ineligible')
  const selection = await step(person, 'number', { action: 'select', accounts: ready.map(account => account.id) })
  const { mask } = person.data('number').account
  const number = await step(person, 'allocation', { action: 'submit', number: `411111111111${mask}` })
  const { suggestion } = person.data('allocation')
  const allocation = await step(person, 'review', { action: 'review', allocations: suggestion })
  const review = await step(person, 'done', { action: 'confirm' })
  // A minute later, a request for the view adds only one statement, which records the bearer's use.
  const [done] = await cost(() => person.look())
  service.advance(60_000)
  const [idle] = await cost(() => person.look())
  expect(idle).toBe(done + 1)
  expect(over({ redeem, consent, code, look, selection, number, allocation, review })).toEqual([])
})

it('a frame call reads its session once: details and questions', async () => {
  const [, detailed] = await begin('+15125550103')
  await detailed.arriveAtAccounts()
  const typed = await step(detailed, 'discovering', { action: 'submit', ...details })
  const [, asked] = await begin('+15125550104')
  await asked.arriveAtAccounts()
  const questions = await step(asked, 'discovering', { action: 'answer', answers: rightAnswers(asked) })
  expect(over({ details: typed, questions })).toEqual([])
})

it('a frame call reads its session once: a card', async () => {
  const entity_id = await someone(service, '+15121231111')
  const mode = 'card_connect'
  const made = await service.call('POST', '/opal/token', { mode, entity_id, [mode]: { selection_type: 'single' } })
  const person = await Person.arrive(service, (made.body['data'] as { token: string }).token)
  await person.arriveAtAccounts()
  const chase = person.data('selection').accounts.find(account => account.mask === '1580')!
  const selection = await step(person, 'card', { action: 'select', accounts: [chase.id] })
  const printed = {
    number: '5555555555551580',
    exp_month: '03',
    exp_year: '2028',
    cvv: '878',
    billing_zip_code: '78758',
  }
  const card = await step(person, 'done', { action: 'submit', ...printed })
  expect(over({ selection, card })).toEqual([])
})
