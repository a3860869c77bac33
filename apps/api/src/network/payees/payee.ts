/** The rules of how merchants are paid. Pure. */
import type { RailPayee } from '@causeway/connector/ports/rail'
import { HIDDEN_MESSAGE } from '@causeway/contract/text'
import { isVisible } from '@causeway/contract/values/name'
import { isRouting } from '@causeway/contract/values/routing'
import { z } from 'zod'

const line = (max: number) => z.string().trim().min(1, 'is required').max(max, `must be at most ${max} characters`)
const optionalLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `must be at most ${max} characters`)
    .transform(text => (text === '' ? undefined : text))

const PLACEHOLDERS = /\{(?:number|mask|payment)\}/g
/** True if every brace of a template belongs to a placeholder that payments fill in. */
const hasOnlyPlaceholders = (template: string | undefined): boolean =>
  !/[{}]/.test(template?.replace(PLACEHOLDERS, '') ?? '')
const placeholderError = 'may contain braces only in {number}, {mask} and {payment}'

const routing = z.string().trim().max(20).refine(isRouting, 'must be nine digits with a correct check digit')
const account = z
  .string()
  .trim()
  .max(20, { abort: true, error: 'is too long' })
  .regex(/^(?:number|\d{1,17})$/, "must be an account number, or the word number for the debt's own number")
const state = z
  .string()
  .trim()
  .max(2, { abort: true, error: 'must be two capital letters' })
  .regex(/^[A-Z]{2}$/, 'must be two capital letters')
const zip = z
  .string()
  .trim()
  .max(10, { abort: true, error: 'must be a ZIP Code' })
  .regex(/^\d{5}(?:-\d{4})?$/, 'must be a ZIP Code')

/**
 * The details of each route. `addenda` and `memo` are templates: `{number}` stands for the debt's number, `{mask}` for
 * its last four digits, and `{payment}` for the payment's id.
 */
const detailsByRoute = {
  ach: z.object({
    routing,
    account,
    account_type: z.enum(['checking', 'savings', 'loan'], 'must be checking, savings or loan').optional(),
    sec: z.enum(['ccd', 'ctx', 'ppd'], 'must be ccd, ctx or ppd'),
    addenda: optionalLine(80).refine(hasOnlyPlaceholders, placeholderError).optional(),
  }),
  check: z.object({
    name: line(40),
    line1: line(40),
    line2: optionalLine(40).optional(),
    city: line(40),
    state,
    zip,
    memo: line(40).refine(hasOnlyPlaceholders, placeholderError).default('{number}'),
  }),
  card_push: z.object({}),
} as const

type Route = keyof typeof detailsByRoute
const routes = Object.keys(detailsByRoute) as Route[]

/** The content of a payee's sealed details. */
export type PayeeDetails = { [R in Route]: { route: R } & z.output<(typeof detailsByRoute)[R]> }[Route]

/** The columns of an import file. Only those of a row's route may be filled in. */
export const columns = [
  ...['merchant', 'route', 'max_amount', 'note'],
  ...new Set(Object.values(detailsByRoute).flatMap(schema => Object.keys(schema.shape))),
]

const common = z.object({
  merchant: line(100),
  route: z.enum(routes, `must be one of: ${routes.join(', ')}`),
  max_amount: z
    .string()
    .trim()
    .max(12, { abort: true, error: 'is too long' })
    .regex(/^(?:|-?(?:0|[1-9]\d*))$/, { abort: true, error: 'must be a whole number of cents' })
    .transform(text => (text === '' ? null : Number(text)))
    .refine(amount => amount === null || amount >= 1, 'must be at least 1')
    .default(null),
  note: optionalLine(200).optional(),
})

export interface PayeeInput {
  mch_id: string
  details: PayeeDetails
  /** The maximum amount of one payment, in cents. Null for none. */
  max_amount: number | null
  note: string | null
}

/** Reads a row of an import file. @returns the payee, or what is wrong with it, by column */
export function readPayee(row: Readonly<Record<string, string>>): PayeeInput | { problems: string[] } {
  const hidden = Object.entries(row).filter(([, text]) => !isVisible(text))
  if (hidden.length > 0) return { problems: hidden.map(([name]) => `${name} ${HIDDEN_MESSAGE}`) }
  const shared = common.safeParse(row)
  const messages = (error: z.ZodError) => error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  if (!shared.success) return { problems: messages(shared.error) }
  const { merchant, route, max_amount, note } = shared.data
  const schema: z.ZodObject = detailsByRoute[route]
  const filled = Object.entries(row).filter(([, text]) => text.trim() !== '')
  const extra = filled.filter(([name]) => !(name in schema.shape) && !(name in common.shape))
  if (extra.length > 0) return { problems: extra.map(([name]) => `${name} does not apply to the route ${route}`) }
  const details = schema.safeParse(Object.fromEntries(filled.filter(([name]) => name in schema.shape)))
  if (!details.success) return { problems: messages(details.error) }
  return {
    mch_id: merchant,
    details: { route, ...details.data } as PayeeDetails,
    max_amount,
    note: note ?? null,
  }
}

/** Returns true if a payment needs the full number of the debt. */
const needsNumber = (details: PayeeDetails): boolean =>
  details.route === 'card_push' ||
  (details.route === 'ach' && details.account === 'number') ||
  (details.route === 'ach' ? details.addenda : details.memo)?.includes('{number}') === true

/**
 * Returns whether a payment can reach a debt of the merchant.
 * @param details null if the merchant has no payee
 * @param routes the ways in which the rail pays debts
 */
export const payableThrough = (
  details: PayeeDetails | null,
  hasNumber: boolean,
  routes: readonly PayeeDetails['route'][],
): 'yes' | 'needs_number' | 'no' =>
  // mutant: payable-by-the-rail (drop 2)
  details === null || !routes.includes(details.route)
    ? 'no'
    : needsNumber(details) && !hasNumber
      ? 'needs_number'
      : 'yes'

/** Fills in a payee's templates for a payment. */
export function fillPayee(details: PayeeDetails, number: string | null, payment: string): RailPayee {
  const fill = (template: string) =>
    template
      .replaceAll('{number}', number ?? '')
      .replaceAll('{mask}', number?.slice(-4) ?? '')
      .replaceAll('{payment}', payment)
  switch (details.route) {
    case 'ach': {
      const { addenda, account_type, ...rest } = details
      return { ...rest, ...(account_type && { account_type }), ...(addenda && { addenda: fill(addenda) }) }
    }
    case 'check': {
      const { name, line1, line2 = null, city, state: region, zip: code, memo } = details
      return { route: 'check', name, address: { line1, line2, city, state: region, zip: code }, memo: fill(memo) }
    }
    case 'card_push':
      return { route: 'card_push' }
  }
}
