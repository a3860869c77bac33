import { isPart } from '@causeway/contract/money'
import type { PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'
import { table } from '../payments/payment.js'
import { reversalsOf } from '../reversals/reversal.js'

/** The payment data that the ledger needs. Amounts are in cents. */
export interface Paid {
  status: string
  amount: number
  /** The team's share. The destination receives the amount minus this share. */
  fee: number
  source: string | null
  destination: string | null
  reversal: { direction: string; target: string | null; amount: number; status: string } | null
}

/**
 * A ledger account: either an account's id or an internal account such as `clearing`. `outside` represents external
 * accounts.
 */
type Account = string
export type Position = ReadonlyMap<Account, number>

/** Sums cents by account and drops accounts that net to zero. */
function sum(...entries: readonly (readonly [Account | null, number])[]): Position {
  const out = new Map<Account, number>()
  for (const [account, amount] of entries) {
    const name = account ?? 'outside'
    out.set(name, (out.get(name) ?? 0) + amount)
  }
  return new Map([...out].filter(([, amount]) => amount !== 0))
}

/** Returns the amount that each account gained or lost in a payment. The amounts always sum to zero. */
export function position({ status, amount, fee, source, destination, reversal }: Paid): Position {
  const net = amount - fee
  const recovers = reversal?.direction === 'debit'
  // The account that pays. If a reversal debits the payer, this is the debited account. Otherwise, it is the source.
  const owed = recovers && reversal.target !== destination ? reversal.target : source
  switch (table[status as PaymentStatus].money) {
    case 'untouched':
      return sum()
    case 'pulled':
      return sum([source, -amount], ['clearing', amount])
    case 'sent':
      return sum([source, -amount], ['transit', net], ['fees', fee])
    case 'arrived':
      return sum([owed, -amount], [destination, net], ['fees', fee])
    case 'coming back':
      return recovers
        ? sum(['receivable', -amount], [destination, net], ['fees', fee])
        : sum([source, -amount], ['clearing', amount])
    case 'back':
      return recovers ? sum() : sum([source, -amount], [reversal?.target ?? source, amount])
    case 'coming back in part': {
      const part = reversal?.amount ?? 0
      return sum([source, -amount], [destination, net - part], ['fees', fee], ['clearing', part])
    }
    case 'back in part': {
      const part = reversal?.amount ?? 0
      return sum([source, -amount], [reversal?.target ?? source, part], [destination, net - part], ['fees', fee])
    }
  }
}

/** Returns the postings that turn one position into another. */
export function difference(before: Position, after: Position): Position {
  return sum(...after, ...[...before].map(([account, amount]) => [account, -amount] as const))
}

/**
 * True if a reversal can have this amount: the whole payment or, after a partial return, part of the amount that
 * arrived.
 */
const fits = ({ status, amount, fee }: Paid, cents: number): boolean =>
  table[status as PaymentStatus].money.endsWith('in part') ? isPart(cents, amount - fee) : cents === amount

/** Returns the contradictions between a payment and its postings, or an empty list if they agree. */
export function faultsOf(paid: Paid, posted: Position): string[] {
  const found: string[] = []
  const total = [...posted.values()].reduce((all, amount) => all + amount, 0)
  if (total !== 0) found.push(`the postings sum to ${total}`)
  const wrong = difference(posted, position(paid))
  if (wrong.size > 0)
    found.push(`a payment that is ${paid.status} has other postings: ${[...wrong.values()].join(', ')}`)
  const allowed = reversalsOf[paid.status as PaymentStatus]
  const has = paid.reversal?.status as ReversalStatus | undefined
  const sound = has === undefined ? allowed === undefined || paid.status === 'settled' : allowed?.includes(has)
  if (!sound) found.push(`a payment that is ${paid.status} has a reversal that is ${has ?? 'missing'}`)
  if (paid.reversal && !fits(paid, paid.reversal.amount))
    found.push(
      `a payment of ${paid.amount} less ${paid.fee} that is ${paid.status} has a reversal of ${paid.reversal.amount}`,
    )
  return found
}
