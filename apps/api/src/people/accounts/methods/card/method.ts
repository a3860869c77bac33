import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import {
  type cardMethods as declarations,
  instantMethod,
  networkMethod,
  preAuthMethod,
} from '@causeway/contract/methods/card'
import type { CardField } from '@causeway/contract/session'
import type { z } from 'zod'
import type { CardChecks, CardDetails } from '../../../../network/account-data.js'
import { callAbout } from '../../../../network/ports.js'
import { parse } from '../../../../platform/http/request/body.js'
import type { Proof } from '../../../products/account-rules.js'
import { cardGuesses, numberGuesses } from '../../attempts.js'
import { blankCard, readAccountDetails } from '../../details.js'
import { readNumber } from '../../show.js'
import { declaredAs, type Method, method, type SessionData } from '../method.js'

type Answer = z.output<typeof networkMethod.answer>
type Field = CardField

/** A session's state between answers. Records only whether the verification value was given, not the value itself. */
interface Known extends CardDetails {
  number: string | null
  cvv: boolean
  checks: CardChecks
  /** True if the last answer was entirely correct; null before the first answer. */
  accepted: boolean | null
}

const printed: readonly Field[] = ['number', 'exp_month', 'exp_year']
const all: readonly Field[] = [...printed, 'cvv', 'billing_zip_code']
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
const nothing: Known = { ...blankCard, number: null, cvv: false, checks: unchecked, accepted: null }
const dataOf = (data: SessionData): Known => ({ ...nothing, ...(data as Partial<Known>) })

/** Returns the fields that the strictest check still needs, in the order in which they appear on a card. */
export const openFields = (data: SessionData): CardField[] => open(dataOf(data), all)

/** Returns the fields that are still missing or incorrect. */
function open(known: Known, fields: readonly Field[]): Field[] {
  return fields.filter(field => {
    const check = checkOf[field]
    return !known[field] || (check !== undefined && known.checks[check] === 'fail')
  })
}

function cardMethod(
  declared: (typeof declarations)[number],
  fields: readonly Field[],
  proves: readonly Proof[],
): Method {
  const type = declared.name
  const whole = fields.includes('cvv')
  return method<Answer>({
    ...declaredAs(declared),
    proves,
    tries: 5,
    guesses: whole ? cardGuesses : numberGuesses,
    fits: account =>
      account.type === 'liability' && account.liability_type === 'credit_card' && account.reference !== null,
    begin(scope, account) {
      const card = readAccountDetails(scope, account).card ?? blankCard
      return { ...nothing, ...card, number: readNumber(scope, account) }
    },
    read(block, data) {
      const answer = parse(declared.answer, block ?? {}, type) as Answer
      const missing = open(dataOf(data), fields).find(field => answer[field] === undefined)
      if (missing) throw new ServiceError('INVALID_REQUEST', `${type}.${missing} is required.`)
      return answer
    },
    async judge({ scope, account, data, request_id }, { cvv, ...answer }) {
      const known: Known = { ...dataOf(data), ...(answer as Partial<Pick<Known, Exclude<Field, 'cvv'>>>) }
      const again = (check: keyof CardChecks, told: unknown) => told !== undefined || known.checks[check] === null
      const verdict = await scope.deps.ports.network.checkCard({
        ...callAbout(scope, request_id),
        account: account.reference ?? '',
        by: type,
        number: known.number ?? '',
        exp_month: known.exp_month ?? '',
        exp_year: known.exp_year ?? '',
        cvv: whole ? (cvv ?? null) : null,
        billing_zip_code: whole && again('billing_zip_code', answer.billing_zip_code) ? known.billing_zip_code : null,
      })
      if (verdict.status === 'failed') return { status: 'failed', code: verdict.code }
      const checks: CardChecks = {
        exp: verdict.checks.exp ?? known.checks.exp,
        cvv: verdict.checks.cvv ?? known.checks.cvv,
        billing_zip_code: verdict.checks.billing_zip_code ?? known.checks.billing_zip_code,
      }
      const kept = { ...known, cvv: whole && (known.cvv || cvv !== undefined), checks, accepted: verdict.accepted }
      if (!verdict.accepted)
        return {
          status: 'pending',
          data: { ...kept, number: verdict.number ? kept.number : null },
          code: resourceCodes.INVALID_DETAILS,
        }
      const { exp_month, exp_year, billing_zip_code } = kept
      return {
        status: 'verified',
        data: kept,
        ...(kept.number === null ? {} : { number: kept.number }),
        card: { exp_month, exp_year, billing_zip_code },
      }
    },
    show(data) {
      const known = dataOf(data)
      const shown = (field: Field) => [field, known[field] ? masks[field] : null]
      const result = known.accepted === null ? null : known.accepted ? 'pass' : 'fail'
      return Object.fromEntries([
        ...['number', 'exp_month', 'exp_year'].map(field => shown(field as Field)),
        ['exp_check', known.checks.exp],
        ...(whole
          ? [
              shown('cvv'),
              ['cvv_check', known.checks.cvv],
              shown('billing_zip_code'),
              ['billing_zip_code_check', known.checks.billing_zip_code],
              [`${type}_check`, result],
            ]
          : []),
      ])
    },
  })
}

/** Checks the card's number and expiry. */
const instant = cardMethod(instantMethod, printed, ['number', 'expiry'])

/** Checks all of the card's details with an authorization. */
const preAuth = cardMethod(preAuthMethod, all, ['number', 'expiry', 'cvv'])

/** Checks all of the card's details with the card network, which also confirms the holder. */
const network = cardMethod(networkMethod, all, ['number', 'expiry', 'cvv', 'network'])

/** The methods that check a credit card's details: `instant`, `pre_auth` and `network`. */
export const cardMethods: readonly Method[] = [instant, preAuth, network]
