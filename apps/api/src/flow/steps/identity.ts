import { kbaAnswer } from '@causeway/contract/endpoints/entities'
import type { Step, StepError } from '@causeway/contract/session'
import { z } from 'zod'
import type { Missing } from '../../network/identity/port.js'
import { OutsideError } from '../../network/ports.js'
import { matchRounds } from '../../people/entities/attempts.js'
import { countSender } from '../../people/entities/codes.js'
import { detailsOf, type EntityDetails, type EntityRow, typedOf } from '../../people/entities/entity.js'
import { isBirthday } from '../../people/entities/input.js'
import { answerSession, beginSession, dataOf, forgetMatch, requestOf } from '../../people/entities/sessions.js'
import { detailColumns, readDetails } from '../../people/entities/show.js'
import { lockEntity, updateEntity } from '../../people/entities/store.js'
import type { RecordRow } from '../../people/products/product.js'
import { savepoint } from '../../platform/db/store.js'
import { parse } from '../../platform/http/body.js'
import { LimitError, tryTake } from '../../platform/limits/counters.js'
import { type Scope, transact } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { askedFields, type Facts, isTyped } from '../sessions/facts.js'
import { modeRules } from '../sessions/modes.js'
import { saveProgress } from '../sessions/store.js'
import { answerPhone, type Call, fine, type Handler, keepConsents, save, wrong } from './call.js'

export const consent: Handler = async (call, input) => {
  const schema = z.object({
    documents: z.array(z.object({ id: z.string().max(50), version: z.string().max(20) })).max(20),
    locale: z.string().max(35).default('en'),
  })
  const given = parse(schema, input, 'input')
  const asked = modeRules[call.facts.session.mode].documents
  const missed = asked.find(
    document => !given.documents.some(accepted => accepted.id === document.id && accepted.version === document.version),
  )
  if (missed) return wrong('documents', 'changed')
  await transact(call.scope.deps, call.scope.team, async tx => {
    await keepConsents(tx, call, asked, given.locale)
    await saveProgress(tx, call.session, () => ({ consented: true }))
  })
  return fine
}

/** Keeps what was typed, of which nothing is proven yet. The entity's row is locked. */
async function keepTyped(
  tx: Scope,
  before: EntityRow,
  details: EntityDetails,
  names: readonly string[],
): Promise<EntityRow> {
  const typed = typedOf(before)
  return updateEntity(tx, before, {
    ...detailColumns(tx, before.id, details),
    ...(names.some(name => typed.has(name)) ? await forgetMatch(tx, before) : {}),
    typed: JSON.stringify([...new Set([...typed, ...names])]),
  })
}

/**
 * The number that a proof is asked for, and the entity with it, its row locked: one that was typed is kept first, where
 * it may be.
 */
export async function keepNumber(
  tx: Scope,
  id: string,
  typed: string | null,
): Promise<{ row: EntityRow; phone: string } | StepError[]> {
  const row = (await lockEntity(tx, id))!
  const details = readDetails(tx, row)
  if (typed === null || typed === details.phone)
    return details.phone === null ? wrong('phone', 'required') : { row, phone: details.phone }
  if (details.phone !== null && !isTyped(row, 'phone')) return wrong('phone', 'changed')
  return { row: await keepTyped(tx, row, { ...details, phone: typed }, ['phone']), phone: typed }
}

/** Returns the errors about a code at a step where the person typed nothing: why there is no code, or none yet. */
export function aboutCode({ phoneSession, unsent }: Facts, step: Step): StepError[] {
  if (step === 'code') return unsent ? wrong(null, 'not_sent_yet') : fine
  if (step !== 'phone' || phoneSession?.status !== 'failed' || requestOf(phoneSession).method !== 'sms') return fine
  return whyNone(phoneSession)
}

function whyNone(row: RecordRow): StepError[] {
  const { code } = JSON.parse(row.error ?? '{}') as { code?: number }
  if (code === 19001) return wrong(null, 'expired')
  if (code === 19002) return wrong(null, 'too_many_attempts')
  return dataOf(row).unreachable ? wrong(null, 'not_sent') : wrong('phone', 'refused')
}

/** Sends a code to the entity's number, after noting a typed one. */
export async function sendCode(call: Call, typed: string | null): Promise<StepError[]> {
  const { deps, team } = call.scope
  const outcome = await transact(deps, team, async tx => {
    const kept = await keepNumber(tx, call.facts.entity.id, typed)
    if (Array.isArray(kept)) return { errors: kept }
    try {
      // A refusal counts nothing, but keeps the number that was typed.
      const begun = await savepoint(tx.db, async () => {
        if (call.address !== undefined) await countSender(tx, call.address)
        return beginSession(tx, kept.row, 'phone', 'sms', {}, true)
      })
      await saveProgress(tx, call.session, () => ({ phone_session: begun.row.id, sending: begun.job }))
      return { job: begun.job }
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
      const byAddress = error.subType === 'ENTITY_PHONE_VERIFICATION_ADDRESS_LIMIT'
      const code = byAddress ? 'too_many_codes_from_network' : 'too_many_codes'
      return { errors: wrong(null, code, { retry_at: showTime(error.retryAt) }) }
    }
  })
  if (outcome.errors) return outcome.errors
  if (outcome.job) await deps.jobs.settle(outcome.job, 3_000)
  return fine
}

/** The number that was typed, null for the one on file, or what is wrong with it. */
export function readNumber(call: Call, input: Record<string, unknown>): string | null | StepError[] {
  const known = readDetails(call.scope, call.facts.entity).phone
  const editable = known === null || isTyped(call.facts.entity, 'phone')
  const typed = editable ? input['phone'] : undefined
  if (typed === undefined) return known === null ? wrong('phone', 'required') : null
  if (typeof typed !== 'string' || typed.trim() === '') return wrong('phone', 'required')
  const digits = typed.replace(/[^\d]/g, '').replace(/^1(?=\d{10}$)/, '')
  if (!/^[2-9]\d{9}$/.test(digits)) return wrong('phone', 'invalid')
  return `+1${digits}`
}

export const code: Handler = async (call, input) => {
  if (input['action'] === 'resend') return sendCode(call, null)
  if (input['action'] === 'change') {
    if (!isTyped(call.facts.entity, 'phone')) return wrong('phone', 'changed')
    await save(call, () => ({ phone_session: null }))
    return fine
  }
  const typed = typeof input['code'] === 'string' ? input['code'].replace(/[\s-]/g, '') : ''
  if (typed === '') return wrong('code', 'required')
  if (!/^\d{6}$/.test(typed)) return wrong('code', 'invalid')
  try {
    const row = await answerPhone(call, call.facts.progress.phone_session ?? '', { sms_code: typed })
    if (row.status === 'verified') return fine
    const left = 5 - dataOf(row).tries
    if (row.status === 'in_progress') return wrong('code', 'incorrect', { tries_left: left })
    return whyNone(row)
  } catch (error) {
    if (error instanceof OutsideError) return wrong(null, 'unavailable')
    throw error
  }
}

const checks: Record<Exclude<Missing, 'phone'>, (input: Record<string, string>, now: number) => StepError[]> = {
  name: input => ['first_name', 'last_name'].flatMap(field => (input[field] ? [] : wrong(field, 'required'))),
  dob: (input, now) => {
    const dob = input['dob']
    if (!dob) return wrong('dob', 'required')
    if (!isBirthday(dob, now)) return wrong('dob', 'invalid')
    return Date.parse(`${Number(dob.slice(0, 4)) + 18}${dob.slice(4)}T00:00:00.000Z`) > now
      ? wrong('dob', 'too_young')
      : []
  },
  address: input => [
    ...['line1', 'city', 'state', 'zip'].flatMap(field => (input[field] ? [] : wrong(field, 'required'))),
    ...(input['state'] && !/^[A-Za-z]{2}$/.test(input['state']) ? wrong('state', 'invalid') : []),
    ...(input['zip'] && !/^\d{5}(-\d{4})?$/.test(input['zip']) ? wrong('zip', 'invalid') : []),
  ],
  ssn_4: input =>
    !input['ssn_4'] ? wrong('ssn_4', 'required') : /^\d{4}$/.test(input['ssn_4']) ? [] : wrong('ssn_4', 'invalid'),
}

export const details: Handler = async (call, input) => {
  const schema = z.record(z.string(), z.unknown())
  const given = Object.fromEntries(
    Object.entries(parse(schema, input, 'input')).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value.trim().slice(0, 200)]] : [],
    ),
  )
  const fields = askedFields(call.facts)
  const errors = fields.flatMap(field => checks[field](given, call.scope.now))
  if (errors.length > 0) return errors
  const pick = (...names: string[]) => Object.fromEntries(names.map(name => [name, given[name] || null]))
  await transact(call.scope.deps, call.scope.team, async tx => {
    const entity = (await lockEntity(tx, call.facts.entity.id))!
    if ((await tryTake(tx, matchRounds, entity.id)) === null) return
    const old = readDetails(tx, entity)
    const known: Record<string, unknown> = { ...old, ...old.address }
    // Details that the customer sent meanwhile need not be typed any more.
    const open = fields.filter(
      field => isTyped(entity, field) || detailsOf[field].some(name => name !== 'line2' && known[name] === null),
    )
    const next = {
      ...old,
      ...(open.includes('name') ? pick('first_name', 'last_name') : {}),
      ...(open.includes('dob') ? pick('dob') : {}),
      ...(open.includes('ssn_4') ? pick('ssn_4') : {}),
      ...(open.includes('address')
        ? {
            address: {
              ...old.address,
              ...pick('line1', 'line2', 'city', 'zip'),
              state: given['state']?.toUpperCase() ?? null,
            },
          }
        : {}),
    }
    const names = open.flatMap(field => detailsOf[field])
    await keepTyped(tx, entity, next, names)
    await saveProgress(tx, call.session, progress => ({
      missing: null,
      typed: [...new Set([...progress.typed, ...fields])],
    }))
  })
  return fine
}

export const questions: Handler = async (call, input) => {
  const answers = parse(kbaAnswer.shape.answers, input['answers'] ?? [], 'answers')
  const session = call.facts.identitySession!
  const { left } = call.facts.attempts.questions
  const asked = dataOf(session).questions ?? []
  if (asked.some(question => !answers.some(answer => answer.question_id === question.id)))
    return wrong(null, 'required')
  try {
    const row = await answerSession(call.scope, session.id, { answers })
    return row.status === 'in_progress' ? wrong(null, 'incorrect', { tries_left: left - 1 }) : fine
  } catch (error) {
    // The step that is shown next says so.
    if (error instanceof LimitError) return fine
    if (error instanceof OutsideError) return wrong(null, 'unavailable')
    throw error
  }
}
