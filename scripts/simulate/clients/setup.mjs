/** Calls that several clients make: a person with debts, and accounts to pay from. */
import { people } from './inputs.mjs'

export const payable = people.find(person => person.debts.length === 4 && person.asks.length === 0)

/** Thrown if a call that should succeed is rejected. */
export class Rejected extends Error {
  name = 'Rejected'
}

/** Returns a function that expects a call to succeed. Throws {@link Rejected}. */
export const mustOf = ({ ask, post }) =>
  async function must(method, path, body) {
    const reply = method === 'POST' ? await post(path, body) : await ask(method, path, body)
    if (reply.status !== 200) throw new Rejected(`${method} ${path} returned ${reply.status}: ${reply.text}`)
    return reply.json
  }

/** Creates a person. @returns the entity's id */
export async function createPerson(must, phone = payable.phone) {
  const individual = { first_name: 'Kevin', last_name: 'Doyle', phone }
  return (await must('POST', '/entities', { type: 'individual', individual })).id
}

/** The number of sessions that verify a phone at most. */
const MAX_SESSIONS = 5

/**
 * Verifies a phone with the code that was texted to it. A company has one code for each phone, so another client that
 * verifies the same phone can use it up. A session whose code is no longer correct is followed by another session.
 */
async function verifyPhone(api, sessions, codeOf) {
  for (let started = 0; started < MAX_SESSIONS; started += 1) {
    const { id } = await mustOf(api)('POST', sessions, { type: 'phone', method: 'sms', sms: {} })
    while (!codeOf(payable.phone)) await api.pause(200)
    const sms = { sms_code: codeOf(payable.phone) }
    const reply = await api.ask('PUT', `${sessions}/${id}`, { type: 'phone', method: 'sms', sms })
    // If a response was lost, the repeated request finds that the phone is already verified.
    if (reply.json?.status === 'verified' || reply.json?.error?.sub_type === 'EXISTING_VERIFIED_SESSION') return
    if (reply.status !== 200) throw new Rejected(`The code was answered with ${reply.status}: ${reply.text}`)
    await api.pause(5_000)
  }
  throw new Rejected('No code was correct')
}

/** Creates a verified person with debts. @param codeOf returns the code that was texted to a phone, once it was. @returns null if the search fails */
export async function createDebtor(api, codeOf) {
  const must = mustOf(api)
  const id = await createPerson(must)
  const sessions = `/entities/${id}/verification_sessions`
  await verifyPhone(api, sessions, codeOf)
  await must('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
  let connect = await must('POST', `/entities/${id}/connect`)
  while (connect.status !== 'completed') {
    if (connect.status === 'failed') return null
    await api.pause(500)
    connect = await must('GET', `/entities/${id}/connect/${connect.id}`)
  }
  return { entity: id, accounts: connect.accounts }
}

/** Returns a random routing number with a valid check digit, because a blocked account number is not accepted again. */
function someRouting(random) {
  const digits = [0, 6, 2, ...Array.from({ length: 5 }, () => random.whole(0, 9))]
  const sum = digits.reduce((total, digit, index) => total + digit * [3, 7, 1][index % 3], 0)
  return [...digits, (10 - (sum % 10)) % 10].join('')
}

/** Creates an account of a company. @returns its id */
export async function createSource(api, random, number, routing = someRouting(random)) {
  const must = mustOf(api)
  const holder = await must('POST', '/entities', { type: 'corporation', corporation: { name: 'Payer' } })
  return (await must('POST', '/accounts', { holder_id: holder.id, ach: { routing, number, type: 'checking' } })).id
}
