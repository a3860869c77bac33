/** Calls that several clients make: a person with debts, and accounts to pay from. */
import { createInputs, redeem, walk } from './flow.mjs'
import { payable } from './inputs.mjs'

/** Thrown if a call that should succeed is rejected. */
class Rejected extends Error {
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
/** The number of times that a client looks for a code before it asks for another one. */
const MAX_WAITS = 50

/**
 * Verifies a phone with the code that was texted to it. A company has one code for each phone, so another client that
 * verifies the same phone can use it up. A session whose code is no longer correct is followed by another session.
 */
async function verifyPhone(api, sessions, codeOf) {
  for (let started = 0; started < MAX_SESSIONS; started += 1) {
    const { id } = await mustOf(api)('POST', sessions, { type: 'phone', method: 'sms', sms: {} })
    for (let waits = 0; waits < MAX_WAITS && !codeOf(payable.phone); waits += 1) await api.pause(200)
    const sms = { sms_code: codeOf(payable.phone) }
    if (!sms.sms_code) continue
    const reply = await api.ask('PUT', `${sessions}/${id}`, { type: 'phone', method: 'sms', sms })
    // If a response was lost, the repeated request finds that the phone is already verified.
    if (reply.json?.status === 'verified' || reply.json?.error?.sub_type === 'EXISTING_VERIFIED_SESSION') return
    if (reply.status !== 200) throw new Rejected(`The code was answered with ${reply.status}: ${reply.text}`)
    await api.pause(5_000)
  }
  throw new Rejected('No code was correct')
}

/** Verifies a person's phone and identity with the API. @param codeOf returns the code that was texted to a phone, once it was */
async function verifyPerson(api, id, codeOf) {
  const must = mustOf(api)
  const sessions = `/entities/${id}/verification_sessions`
  await verifyPhone(api, sessions, codeOf)
  await must('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
}

/** Lets a person link an institution in the flow, which also verifies their phone and identity, and share all accounts. */
async function linkInstitution(api, id, { random, codeOf, browse }) {
  const { data } = await mustOf(api)('POST', '/opal/token', { mode: 'connect', entity_id: id, connect: {} })
  const { status, text, json } = await redeem(api, random, data.token)
  if (status !== 200) throw new Rejected(`A token was answered with ${status}: ${text}`)
  const { step } = await walk(api, json, { inputOf: createInputs({ random, codeOf, browse }) })
  if (step !== 'done') throw new Rejected(`The flow ended at ${step}.`)
}

/**
 * Creates a verified person with debts.
 * @param companies `codeOf` and `browse` of `createCompanies`, and `random`
 * @returns null if the search fails
 */
export async function createDebtor(api, companies) {
  const must = mustOf(api)
  const id = await createPerson(must)
  if (companies.browse) {
    await linkInstitution(api, id, companies)
    const { data } = await must('GET', `/accounts?holder_id=${id}`)
    return { entity: id, accounts: data.map(account => account.id) }
  }
  await verifyPerson(api, id, companies.codeOf)
  let connect = await must('POST', `/entities/${id}/connect`)
  while (connect.status !== 'completed') {
    if (connect.status === 'failed') return null
    await api.pause(500)
    connect = await must('GET', `/entities/${id}/connect/${connect.id}`)
  }
  return { entity: id, accounts: connect.accounts }
}

/** Creates a debtor. Tries again while a company fails, because the person is then not verified or found. @returns null at the end */
export async function createDebtorInChaos(api, { isOver, ...companies }) {
  while (!isOver()) {
    const debtor = await createDebtor(api, companies).catch(error => {
      if (!(error instanceof Rejected)) throw error
      return null
    })
    if (debtor) return debtor
    await api.pause(1_000)
  }
  return null
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
