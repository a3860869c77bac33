import { byoSmsProof, kbaAnswer, smsAnswer } from '@causeway/contract/endpoints/entities'
import { type ResourceErrorCode, resourceCodes, ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import type { KbaQuestion } from '../../network/identity/port.js'
import { OutsideError } from '../../network/ports.js'
import { parse } from '../../platform/http/body.js'
import { requireLeft } from '../../platform/limits/counters.js'
import type { Limit } from '../../platform/limits/limit.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { RecordRow } from '../products/product.js'
import { questionRounds } from './attempts.js'
import { countSend } from './codes.js'
import type { EntityRow } from './entity.js'
import { readDetails } from './show.js'

/** What a session knows: kept as the record's data. */
export interface SessionData {
  tries: number
  timestamp?: string
  round?: number
  questions?: KbaQuestion[]
  authenticated?: boolean
  urls?: string[]
  /** Nobody could be asked, so it says nothing of the person. */
  unreachable?: true
}

export interface Verdict {
  status: 'in_progress' | 'verified' | 'failed'
  data: Partial<SessionData>
  code?: ResourceErrorCode
}

/** One way to prove a phone or an identity. */
export interface Method<Answer = unknown> {
  type: 'phone' | 'identity'
  /** How often it can be answered. */
  tries: number
  /** Limits wrong answers per entity, across its sessions. */
  guesses?: Limit
  /** Checks that it can begin, and says how the new session stands. Throws the request error. */
  begin(scope: Scope, entity: EntityRow, block: Record<string, unknown>): Promise<Verdict>
  /** Asks the outside once, at the start; `waits`: the POST waits for it. */
  ask?: { waits: boolean; run(scope: Scope, entity: EntityRow, row: RecordRow): Promise<Verdict> }
  /** Reads the block of an answer. Throws INVALID_REQUEST before the try is counted. */
  read?(block: Record<string, unknown>): Answer
  /** Judges an answer, asking the outside. `last`: no try is left after this one. */
  check?(scope: Scope, entity: EntityRow, row: RecordRow, answer: Answer, last: boolean): Promise<Verdict>
  show(data: SessionData, verified: boolean): Record<string, unknown>
}

const call = (scope: Scope, row: RecordRow) => ({ request_id: row.id, team_id: scope.team.id, now: scope.now })
const dataOf = (row: RecordRow) => JSON.parse(row.data ?? '{"tries":0}') as SessionData
const needPhone = (scope: Scope, entity: EntityRow): string => {
  const { phone } = readDetails(scope, entity)
  if (!phone) throw new ServiceError('INVALID_REQUEST', 'The entity has no phone. Set individual.phone first.')
  return phone
}

const sms: Method<z.infer<typeof smsAnswer>> = {
  type: 'phone',
  tries: 5,
  async begin(scope, entity) {
    const phone = needPhone(scope, entity)
    await countSend(scope, entity, phone)
    return { status: 'in_progress', data: {} }
  },
  ask: {
    waits: false,
    async run(scope, entity, row) {
      const sent = await scope.deps.ports.identity.sendCode({ ...call(scope, row), phone: needPhone(scope, entity) })
      return sent.status === 'sent'
        ? { status: 'in_progress', data: {} }
        : { status: 'failed', data: {}, code: resourceCodes.PRODUCT_EXECUTION_FAILED }
    },
  },
  read: block => parse(smsAnswer, block, 'sms'),
  async check(scope, entity, row, { sms_code }, last) {
    const { status } = await scope.deps.ports.identity.checkCode({
      ...call(scope, row),
      phone: needPhone(scope, entity),
      code: sms_code,
    })
    if (status === 'correct') return { status: 'verified', data: { timestamp: showTime(scope.now) } }
    if (status === 'expired') return { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_EXPIRED }
    return {
      status: last ? 'failed' : 'in_progress',
      data: {},
      code: resourceCodes.VERIFICATION_SESSION_FAILED_INCORRECT_SMS_CODE,
    }
  },
  show: data => (data.timestamp ? { timestamp: data.timestamp } : {}),
}

const byoSms: Method = {
  type: 'phone',
  tries: 0,
  async begin(scope, entity, block) {
    needPhone(scope, entity)
    const { timestamp } = parse(byoSmsProof, block, 'byo_sms')
    return { status: 'verified', data: { timestamp: showTime(Date.parse(timestamp)) } }
  },
  show: data => ({ timestamp: data.timestamp ?? null }),
}

const sna: Method = {
  type: 'phone',
  tries: 5,
  async begin(scope, entity) {
    needPhone(scope, entity)
    return { status: 'in_progress', data: { urls: [] } }
  },
  ask: {
    waits: true,
    async run(scope, entity, row) {
      const begun = await scope.deps.ports.identity.beginSna({ ...call(scope, row), phone: needPhone(scope, entity) })
      return begun.status === 'ready'
        ? { status: 'in_progress', data: { urls: begun.urls } }
        : { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_FAILED_SNA }
    },
  },
  async check(scope, entity, row, _answer, last) {
    const { status } = await scope.deps.ports.identity.checkSna({
      ...call(scope, row),
      phone: needPhone(scope, entity),
    })
    if (status === 'correct') return { status: 'verified', data: {} }
    if (status === 'pending' && !last) return { status: 'in_progress', data: {} }
    return { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_FAILED_SNA }
  },
  show: data => ({ urls: data.urls ?? [] }),
}

/** The customer's own check of the identity, taken at its word for a person who is known. */
const byoKyc: Method = {
  type: 'identity',
  tries: 0,
  async begin(_scope, entity) {
    if (entity.matched === 0) throw new ServiceError('MISSING_IDENTITY_MATCH')
    return { status: 'verified', data: { authenticated: true } }
  },
  show: data => ({ authenticated: data.authenticated ?? false }),
}

const kba: Method<z.infer<typeof kbaAnswer>> = {
  type: 'identity',
  tries: 2,
  guesses: questionRounds,
  async begin(scope, entity) {
    if (entity.phone_verified_at === null) throw new ServiceError('MISSING_PHONE_VERIFICATION')
    if (entity.matched === 0) throw new ServiceError('MISSING_IDENTITY_MATCH')
    await requireLeft(scope, questionRounds, entity.id)
    return { status: 'in_progress', data: { questions: [], round: 0 } }
  },
  ask: { waits: true, run: (scope, entity, row) => nextQuestions(scope, entity, row, 0) },
  read: block => parse(kbaAnswer, block, 'kba'),
  async check(scope, entity, row, { answers }, last) {
    const round = dataOf(row).round ?? 0
    const { status } = await scope.deps.ports.identity.answer({
      ...call(scope, row),
      person: entity.person ?? '',
      round,
      answers,
    })
    if (status === 'correct') return { status: 'verified', data: { questions: [], authenticated: true } }
    if (last)
      return {
        status: 'failed',
        data: { questions: [], authenticated: false },
        code: resourceCodes.VERIFICATION_SESSION_FAILED_INVALID_ANSWER,
      }
    const next = await furtherQuestions(scope, entity, row, round + 1)
    return {
      status: next ? 'in_progress' : 'failed',
      data: next ?? { questions: [], authenticated: false },
      code: resourceCodes.VERIFICATION_SESSION_FAILED_INVALID_ANSWER,
    }
  },
  show: data => ({
    questions: data.questions ?? [],
    ...(data.authenticated === undefined ? {} : { authenticated: data.authenticated }),
  }),
}

async function nextQuestions(scope: Scope, entity: EntityRow, row: RecordRow, round: number): Promise<Verdict> {
  const { questions } = await scope.deps.ports.identity.questions({
    ...call(scope, row),
    person: entity.person ?? '',
    round,
  })
  return questions.length === 0
    ? { status: 'verified', data: { questions: [], authenticated: true } }
    : { status: 'in_progress', data: { questions, round } }
}

/** Questions after a wrong round, or undefined where there are none. Where nobody can be asked now, those of that round stay: it is judged. */
async function furtherQuestions(
  scope: Scope,
  entity: EntityRow,
  row: RecordRow,
  round: number,
): Promise<Partial<SessionData> | undefined> {
  try {
    const next = await nextQuestions(scope, entity, row, round)
    return next.status === 'in_progress' ? next.data : undefined
  } catch (error) {
    if (error instanceof OutsideError) return {}
    throw error
  }
}

/** Every method by name. */
export const methodsByName: Readonly<Record<string, Method>> = {
  sms,
  sna,
  byo_sms: byoSms,
  kba,
  byo_kyc: byoKyc,
}
