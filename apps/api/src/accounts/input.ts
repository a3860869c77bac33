import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { parse } from '../http/body.js'
import type { CardDetails } from '../network/account-data.js'

const achInput = z.object({ routing: z.unknown(), number: z.unknown(), type: z.unknown() })

/** Whether nine digits are a routing number: the check digit of the American Bankers Association. */
function isRouting(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{9}$/.test(text)) return false
  const weights = [3, 7, 1]
  return [...text].reduce((sum, digit, at) => sum + Number(digit) * weights[at % 3]!, 0) % 10 === 0
}

export interface Ach {
  routing: string
  number: string
  type: 'checking' | 'savings'
}

export function readAch(value: unknown): Ach {
  const { routing, number, type } = parse(achInput, value, 'ach')
  if (!isRouting(routing)) throw new ServiceError('INVALID_ACH_ACCOUNT_ROUTING')
  if (typeof number !== 'string' || !/^\d{4,17}$/.test(number)) throw new ServiceError('INVALID_ACH_ACCOUNT_NUMBER')
  if (type !== 'checking' && type !== 'savings') throw new ServiceError('INVALID_ACH_ACCOUNT_TYPE')
  return { routing, number, type }
}

const month = z.string().regex(/^(0[1-9]|1[0-2])$/, 'An expiry month must be two digits, 01 to 12.')
const year = z.string().regex(/^\d{4}$/, 'An expiry year must be four digits.')
const cvv = z.string().regex(/^\d{3,4}$/, 'cvv must be three or four digits.')
const zip = z.string().regex(/^\d{5}$/, 'A zip code must be five digits.')

const liabilityInput = z.object({
  mch_id: z.string().max(64),
  account_number: z.unknown().optional(),
  number: z.unknown().optional(),
  credit_card: z
    .object({ exp_month: month, exp_year: year, cvv: cvv.nullish(), billing_zip_code: zip.nullish() })
    .nullish(),
})

export interface NamedDebt {
  mch_id: string
  number: string
  card: CardDetails | null
}

/** Digits of an account number as people type it. Throws INVALID_ACCOUNT_NUMBER. */
export function readAccountNumber(value: unknown): string {
  const digits = typeof value === 'string' ? value.replace(/[\s-]/g, '') : ''
  if (!/^\d{4,25}$/.test(digits))
    throw new ServiceError('INVALID_ACCOUNT_NUMBER', 'An account number must be 4 to 25 digits.')
  return digits
}

/** A debt that is named by merchant and number. A card's verification value is taken and not kept. */
export function readLiability(value: unknown): NamedDebt {
  const given = parse(liabilityInput, value, 'liability')
  const numbers = [given.account_number, given.number].filter(each => each !== undefined && each !== null)
  if (numbers.length !== 1)
    throw new ServiceError('INVALID_REQUEST', 'Send exactly one of liability.account_number and liability.number.')
  const card = given.credit_card
  return {
    mch_id: given.mch_id,
    number: readAccountNumber(numbers[0]),
    card: card
      ? { exp_month: card.exp_month, exp_year: card.exp_year, billing_zip_code: card.billing_zip_code ?? null }
      : null,
  }
}

const text = z.string().min(1).max(200).nullable()
const changeInput = z.object({
  liability: z
    .object({
      mortgage: z
        .object({ address_street: text, address_city: text, address_state: text, address_zip: zip.nullable() })
        .partial()
        .optional(),
      credit_card: z
        .object({ number: z.unknown().optional(), expiration_month: month, expiration_year: year, cvv })
        .partial()
        .optional(),
    })
    .optional(),
})

/** What a PUT changes of a debt; each left out: nothing. */
export interface DebtChange {
  address?: { street: string | null; city: string | null; state: string | null; zip: string | null }
  number?: string
  expiry?: { exp_month: string; exp_year: string }
}

export function readChange(body: Record<string, unknown>): DebtChange {
  const { mortgage, credit_card: card } = parse(changeInput, body).liability ?? {}
  if (mortgage && card)
    throw new ServiceError('INVALID_REQUEST', 'Send liability.mortgage or liability.credit_card, not both.')
  const change: DebtChange = {}
  if (mortgage)
    change.address = {
      street: mortgage.address_street ?? null,
      city: mortgage.address_city ?? null,
      state: mortgage.address_state ?? null,
      zip: mortgage.address_zip ?? null,
    }
  if (!card) return change
  const { number, expiration_month, expiration_year } = card
  if (number !== undefined && (expiration_month ?? expiration_year ?? card.cvv) !== undefined)
    throw new ServiceError('INVALID_REQUEST', 'Send liability.credit_card.number alone, or the expiry without it.')
  if (number !== undefined) return { ...change, number: readAccountNumber(number) }
  if (expiration_month === undefined || expiration_year === undefined)
    throw new ServiceError(
      'INVALID_REQUEST',
      'Send liability.credit_card.expiration_month together with expiration_year.',
    )
  return { ...change, expiry: { exp_month: expiration_month, exp_year: expiration_year } }
}
