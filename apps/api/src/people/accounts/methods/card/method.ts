import type { CardChecks, CardDetails } from '@causeway/connector/ports/account-data'
import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import {
  type cardMethods as declarations,
  instantMethod,
  networkMethod,
  preAuthMethod,
} from '@causeway/contract/methods/card'
import type { CardField } from '@causeway/contract/session'
import type { z } from 'zod'
import { createPortCall } from '../../../../network/ports.js'
import { parse } from '../../../../platform/http/request/body.js'
import { blankCard, readAccountDetails } from '../../../holders/account-details.js'
import type { Proof } from '../../../holders/account-rules.js'
import { readNumber } from '../../../holders/show-account.js'
import { cardAttemptLimit, numberAttemptLimit } from '../../attempts.js'
import { declaredAs, type Method, method, type SessionData } from '../method.js'

type Answer = z.output<typeof networkMethod.answer>
type Field = CardField

/** A session's state between answers. Records only whether the verification value was given, not the value itself. */
interface CardState extends CardDetails {
  number: string | null
  cvv: boolean
  checks: CardChecks
  /** True if the last answer was entirely correct; null before the first answer. */
  accepted: boolean | null
}

const printedFields: readonly Field[] = ['number', 'exp_month', 'exp_year']
const allFields: readonly Field[] = [...printedFields, 'cvv', 'billing_zip_code']
const masks: Readonly<Record<Field, string>> = {
  number: 'xxxxxxxxxxxxxxxx',
  exp_month: 'xx',
  exp_year: 'xxxx',
  cvv: 'xxx',
  billing_zip_code: 'xxxxx',
}
const checkOf: Partial<Record<Field, keyof CardChecks>> = {
  exp_month: 'exp',
  exp_year: 'exp',
  cvv: 'cvv',
  billing_zip_code: 'billing_zip_code',
}

const unchecked: CardChecks = { exp: null, cvv: null, billing_zip_code: null }
const blankState: CardState = { ...blankCard, number: null, cvv: false, checks: unchecked, accepted: null }
const stateOf = (data: SessionData): CardState => ({ ...blankState, ...(data as Partial<CardState>) })

/** Returns the fields that the strictest check still needs, in the order in which they appear on a card. */
export const missingFields = (data: SessionData): CardField[] => missingOrWrong(stateOf(data), allFields)

/** Returns the fields that are still missing or incorrect. */
function missingOrWrong(state: CardState, fields: readonly Field[]): Field[] {
  return fields.filter(field => {
    const check = checkOf[field]
    return !state[field] || (check !== undefined && state.checks[check] === 'fail')
  })
}

function cardMethod(
  declared: (typeof declarations)[number],
  fields: readonly Field[],
  proves: readonly Proof[],
): Method {
  const type = declared.name
  const isFull = fields.includes('cvv')
  return method<Answer>({
    ...declaredAs(declared),
    proves,
    maxAttempts: 5,
    attemptLimit: isFull ? cardAttemptLimit : numberAttemptLimit,
    appliesTo: account =>
      account.type === 'liability' && account.liability_type === 'credit_card' && account.reference !== null,
    begin(scope, account) {
      const card = readAccountDetails(scope, account).card ?? blankCard
      return { ...blankState, ...card, number: readNumber(scope, account) }
    },
    read(block, data) {
      const answer = parse(declared.answer, block ?? {}, type) as Answer
      const missing = missingOrWrong(stateOf(data), fields).find(field => answer[field] === undefined)
      if (missing) throw new ServiceError('INVALID_REQUEST', `${type}.${missing} is required.`)
      return answer
    },
    async check({ scope, account, data, request_id }, { cvv, ...answer }) {
      const state: CardState = { ...stateOf(data), ...(answer as Partial<Pick<CardState, Exclude<Field, 'cvv'>>>) }
      const isResent = (check: keyof CardChecks, value: unknown) => value !== undefined || state.checks[check] === null
      const verdict = await scope.deps.ports.network.checkCard({
        ...createPortCall(scope, request_id),
        account: account.reference ?? '',
        by: type,
        number: state.number ?? '',
        exp_month: state.exp_month ?? '',
        exp_year: state.exp_year ?? '',
        cvv: isFull ? (cvv ?? null) : null,
        billing_zip_code:
          isFull && isResent('billing_zip_code', answer.billing_zip_code) ? state.billing_zip_code : null,
      })
      if (verdict.status === 'failed') return { status: 'failed', code: verdict.code }
      const checks: CardChecks = {
        exp: verdict.checks.exp ?? state.checks.exp,
        cvv: verdict.checks.cvv ?? state.checks.cvv,
        billing_zip_code: verdict.checks.billing_zip_code ?? state.checks.billing_zip_code,
      }
      const next = { ...state, cvv: isFull && (state.cvv || cvv !== undefined), checks, accepted: verdict.accepted }
      if (!verdict.accepted)
        return {
          status: 'pending',
          data: { ...next, number: verdict.number ? next.number : null },
          code: resourceCodes.INVALID_DETAILS,
        }
      const { exp_month, exp_year, billing_zip_code } = next
      return {
        status: 'verified',
        data: next,
        ...(next.number === null ? {} : { number: next.number }),
        card: { exp_month, exp_year, billing_zip_code },
      }
    },
    show(data) {
      const state = stateOf(data)
      const maskedEntry = (field: Field) => [field, state[field] ? masks[field] : null]
      const result = state.accepted === null ? null : state.accepted ? 'pass' : 'fail'
      return Object.fromEntries([
        ...['number', 'exp_month', 'exp_year'].map(field => maskedEntry(field as Field)),
        ['exp_check', state.checks.exp],
        ...(isFull
          ? [
              maskedEntry('cvv'),
              ['cvv_check', state.checks.cvv],
              maskedEntry('billing_zip_code'),
              ['billing_zip_code_check', state.checks.billing_zip_code],
              [`${type}_check`, result],
            ]
          : []),
      ])
    },
  })
}

/** Checks the card's number and expiry. */
const instant = cardMethod(instantMethod, printedFields, ['number', 'expiry'])

/** Checks all of the card's details with an authorization. */
const preAuth = cardMethod(preAuthMethod, allFields, ['number', 'expiry', 'cvv'])

/** Checks all of the card's details with the card network, which also confirms the holder. */
const network = cardMethod(networkMethod, allFields, ['number', 'expiry', 'cvv', 'network'])

/** The methods that check a credit card's details: `instant`, `pre_auth` and `network`. */
export const cardMethods: readonly Method[] = [instant, preAuth, network]
