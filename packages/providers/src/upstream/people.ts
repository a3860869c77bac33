/** Codes, matching and questions, by the upstream's verification sessions. */
import { setTimeout as wait } from 'node:timers/promises'
import type { IdentityDetails, KbaQuestion, MissingDetail } from '@causeway/connector/ports/identity'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import { resourceCodes } from '@causeway/contract/errors'
import {
  accepted,
  codeOf,
  idOf,
  keyOf,
  listOf,
  type Members,
  members,
  read,
  refused,
  request,
  textOf,
} from './client.js'
import type { Context } from './settings.js'

/** The phone's latest entity at the upstream, whose phone was verified by a code. */
interface PhoneRow {
  entity: string
}
interface CodeRow extends PhoneRow {
  session: string
}
/** The session that asks a person questions. It goes on to other questions after wrong answers. */
interface AskingRow {
  session: string
}
interface RoundRow extends AskingRow {
  questions: KbaQuestion[]
}

/** The time in which the upstream usually texts a code, in ms. */
const TEXTING_MS = 150

const phoneKey = (context: Context, phone: string) => context.fingerprint(`phone ${phone}`)
const sessionsOf = (entity: string) => `/entities/${entity}/verification_sessions`

const phoneFields = (phone: string | null) => ({ individual: phone === null ? {} : { phone } })

const createEntity = async (context: Context, fields: object, purpose: string, id: string): Promise<Members> =>
  accepted(
    await request(context, 'POST', '/entities', { body: { type: 'individual', ...fields }, key: keyOf(purpose, id) }),
  )

/**
 * Texts a code. Each code has an entity of its own, because the upstream does not verify a phone again that it has
 * verified before. The upstream answers before it texts, so the session shows a moment later whether it could.
 */
export async function sendCode(
  context: Context,
  { phone, request_id }: CallOf<'identity/send_code'>,
): Promise<AnswerOf<'identity/send_code'>> {
  const row = await startCode(context, phone, request_id)
  if (!row) return { status: 'refused' }
  await wait(TEXTING_MS)
  const { status } = await read(context, `${sessionsOf(row.entity)}/${row.session}`)
  return { status: status === 'failed' ? 'refused' : 'sent' }
}

/** Creates the session that texts a code. Returns undefined if the upstream refuses to. */
async function startCode(context: Context, phone: string, request_id: string): Promise<CodeRow | undefined> {
  const entity = idOf(await createEntity(context, phoneFields(phone), 'code', request_id))
  const reply = await request(context, 'POST', sessionsOf(entity), {
    body: { type: 'phone', method: 'sms', sms: {} },
    key: keyOf('code session', request_id),
  })
  if (!reply.ok) {
    if (reply.refusal.status === 400) return undefined
    throw refused(reply.refusal)
  }
  const row: CodeRow = { entity, session: idOf(reply.value) }
  await context.store.put('code', request_id, row, { days: 1 })
  return row
}

/** Returns the outcome of {@link sendCode}. Its keys make the same request return the same session. */
export async function findCode(context: Context, { request_id }: CallOf<'identity/send_code'>) {
  const row = await context.store.get('code', request_id)
  return row ? ({ known: true, answer: { status: 'sent' } } as const) : ({ known: false } as const)
}

export async function checkCode(
  context: Context,
  { phone, code, request_id }: CallOf<'identity/check_code'>,
): Promise<AnswerOf<'identity/check_code'>> {
  // A client may check a code before the job that sends it has run. The keys make both send the same one.
  const row =
    ((await context.store.get('code', request_id)) as CodeRow | undefined) ??
    (await startCode(context, phone, request_id))
  if (!row) return { status: 'expired' }
  const path = `${sessionsOf(row.entity)}/${row.session}`
  const before = await read(context, path)
  const session =
    before['status'] === 'in_progress'
      ? accepted(
          await request(context, 'PUT', path, { body: { type: 'phone', method: 'sms', sms: { sms_code: code } } }),
        )
      : before
  if (session['status'] === 'verified') {
    // A repeated check of another code must not pass because an earlier one did.
    const proof = context.fingerprint(`code ${code}`)
    if ((await context.store.claim('correct', request_id, proof, { days: 1 })) !== proof) return { status: 'incorrect' }
    await context.store.put('phone', phoneKey(context, phone), { entity: row.entity } satisfies PhoneRow)
    return { status: 'correct' }
  }
  return { status: session['status'] === 'in_progress' ? 'incorrect' : 'expired' }
}

/** Returns the fields of an update that has the given details only. */
function detailFields({ first_name, last_name, dob, ssn, ssn_4, phone, address }: IdentityDetails): object {
  const present = (fields: Record<string, string | null>) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  return {
    individual: present({ first_name, last_name, dob, phone, ssn, ssn_4: ssn === null ? ssn_4 : null }),
    ...(address.line1 !== null && { address: present({ ...address }) }),
  }
}

const missingOf = ({ first_name, phone, dob, address, ssn, ssn_4 }: IdentityDetails): MissingDetail[] => {
  const checks: [MissingDetail, boolean][] = [
    ['name', first_name === null],
    ['phone', phone === null],
    ['dob', dob === null],
    ['address', address.line1 === null],
    ['ssn_4', ssn === null && ssn_4 === null],
  ]
  return checks.flatMap(([name, isMissing]) => (isMissing ? [name] : []))
}

const verificationOf = (entity: Members, kind: 'phone' | 'identity') => members(members(entity['verification'])[kind])

/** Vouches for a phone that was verified here, but not by the upstream's own code. */
async function verifyPhone(context: Context, id: string, entity: Members, now: number): Promise<void> {
  const { verified, methods } = verificationOf(entity, 'phone')
  if (verified === true) return
  if (!listOf(methods).includes('byo_sms'))
    throw new OutsideError(
      'The upstream does not accept a phone that it did not verify for this entity. Enable byo_sms for your team there.',
      {
        outcome: 'nothing',
        retryable: false,
      },
    )
  const body = { type: 'phone', method: 'byo_sms', byo_sms: { timestamp: new Date(now).toISOString() } }
  accepted(await request(context, 'POST', sessionsOf(id), { body, key: keyOf('vouched phone', id) }))
}

/**
 * Adds details to an entity. Details that it already has can't be changed, so corrected ones get another entity.
 * @returns the entity with the details, or null if the upstream does not accept them
 */
async function addDetails(
  context: Context,
  id: string,
  details: IdentityDetails,
  key: string,
): Promise<Members | null> {
  const body = detailFields(details)
  const reply = await request(context, 'PUT', `/entities/${id}`, { body })
  if (reply.ok) return reply.value
  if (reply.refusal.subType === 'ENTITY_UPDATE_INVALID') return createEntity(context, body, 'corrected', key)
  if (reply.refusal.status === 400) return null
  throw refused(reply.refusal)
}

/** Matches a person by their details. The upstream's entity is the person. Equal details are the same person. */
export async function match(
  context: Context,
  { details, request_id }: CallOf<'identity/match'>,
): Promise<AnswerOf<'identity/match'>> {
  const missing = missingOf(details)
  const key = context.fingerprint(`person ${JSON.stringify(details)}`)
  const known = (await context.store.get('person', key)) as PhoneRow | undefined
  const ofPhone = (await context.store.get('phone', phoneKey(context, details.phone ?? ''))) as PhoneRow | undefined
  const first =
    known?.entity ??
    ofPhone?.entity ??
    idOf(await createEntity(context, phoneFields(details.phone), 'person', request_id))
  let entity = await read(context, `/entities/${first}`)
  if (!known) {
    const reply = await addDetails(context, first, details, key)
    if (reply === null) return { matched: false, missing }
    entity = reply
  }
  const id = idOf(entity)
  if (entity['error'])
    return { matched: false, missing: [], refused: codeOf(entity['error'], resourceCodes.ENTITY_CANNOT_PERFORM_ACTION) }
  const { matched, verified } = verificationOf(entity, 'identity')
  if (matched !== true) return { matched: false, missing }
  await verifyPhone(context, id, entity, context.now())
  await context.store.put('person', key, { entity: id } satisfies PhoneRow, { days: null })
  if (verified === true) return { matched: true, person: id, questions: false }
  return { matched: true, person: id, questions: (await askQuestions(context, id, request_id)) !== 'verified' }
}

function readQuestions(session: Members): KbaQuestion[] {
  return listOf(members(session['kba'])['questions']).map(question => {
    const { id, text, answers } = members(question)
    return {
      id: String(id),
      text: textOf(text) ?? '',
      answers: listOf(answers).map(answer => {
        const each = members(answer)
        return { id: String(each['id']), text: textOf(each['text']) ?? '' }
      }),
    }
  })
}

const isAsking = (session: Members) => session['status'] === 'in_progress' && readQuestions(session).length > 0

/**
 * Finds the person's session that asks questions, or begins one. Returns undefined if the upstream asks no questions
 * now, for example because the person has no attempts left.
 * @param id the request, which begins at most one session
 */
async function askQuestions(context: Context, person: string, id: string): Promise<Members | 'verified' | undefined> {
  const row = (await context.store.get('asking', person)) as AskingRow | undefined
  const open = row && (await read(context, `${sessionsOf(person)}/${row.session}`))
  if (open && isAsking(open)) return open
  const begun = await request(context, 'POST', sessionsOf(person), {
    body: { type: 'identity', method: 'kba', kba: {} },
    key: keyOf('questions', `${person} ${id}`),
  })
  if (!begun.ok) {
    if (begun.refusal.status === 400) return undefined
    throw refused(begun.refusal)
  }
  // A repeated request returns the session as it was when it began.
  const session = await read(context, `${sessionsOf(person)}/${idOf(begun.value)}`)
  if (session['status'] === 'verified') return 'verified'
  if (!isAsking(session)) return undefined
  await context.store.put('asking', person, { session: idOf(session) } satisfies AskingRow)
  return session
}

const roundId = (request_id: string, round: number) => `${request_id}.${round}`

export async function questions(
  context: Context,
  { person, round, request_id }: CallOf<'identity/questions'>,
): Promise<AnswerOf<'identity/questions'>> {
  const id = roundId(request_id, round)
  const row = (await context.store.get('round', id)) as RoundRow | undefined
  if (row) return { questions: row.questions }
  const entity = await read(context, `/entities/${person}`)
  if (verificationOf(entity, 'identity')['verified'] === true) return { questions: [] }
  const session = await askQuestions(context, person, id)
  if (session === 'verified') return { questions: [] }
  // An empty list would say that no questions are needed.
  if (session === undefined)
    throw new OutsideError('The upstream asks this person no questions now.', { outcome: 'nothing', retryable: false })
  const newRound = { session: idOf(session), questions: readQuestions(session) } satisfies RoundRow
  return { questions: ((await context.store.claim('round', id, newRound, { days: 1 })) as RoundRow).questions }
}

const idsOf = (list: readonly KbaQuestion[]) => list.map(({ id }) => id).join(' ')

export async function answer(
  context: Context,
  { person, round, answers, request_id }: CallOf<'identity/answer'>,
): Promise<AnswerOf<'identity/answer'>> {
  const id = roundId(request_id, round)
  const row = (await context.store.get('round', id)) as RoundRow | undefined
  if (!row) return { status: 'incorrect' }
  const path = `${sessionsOf(person)}/${row.session}`
  const before = await read(context, path)
  // After wrong answers, the session asks other questions, which belong to the next round.
  const isOpen = isAsking(before) && idsOf(readQuestions(before)) === idsOf(row.questions)
  const after = isOpen
    ? accepted(await request(context, 'PUT', path, { body: { type: 'identity', method: 'kba', kba: { answers } } }))
    : before
  if (after['status'] !== 'verified') return { status: 'incorrect' }
  // A repeated check of other answers must not pass because earlier ones did.
  const proof = context.fingerprint(`answers ${JSON.stringify(answers)}`)
  const isProof = (await context.store.claim('answered', id, proof, { days: 1 })) === proof
  return { status: isProof ? 'correct' : 'incorrect' }
}
