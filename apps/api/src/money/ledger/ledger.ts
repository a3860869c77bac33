import { isPartialAmount } from '@causeway/contract/money'
import type { PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'
import { statusRules } from '../payments/payment.js'
import { reversalStatuses } from '../reversals/reversal.js'

/** The payment data that the ledger needs. Amounts are in cents. */
export interface LedgerPayment {
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
function sumByAccount(...entries: readonly (readonly [Account | null, number])[]): Position {
  const totals = new Map<Account, number>()
  for (const [account, amount] of entries) {
    const name = account ?? 'outside'
    totals.set(name, (totals.get(name) ?? 0) + amount)
  }
  return new Map([...totals].filter(([, amount]) => amount !== 0))
}

/** Returns the amount that each account gained or lost in a payment. The amounts always sum to zero. */
export function position({ status, amount, fee, source, destination, reversal }: LedgerPayment): Position {
  const net = amount - fee
  const recovers = reversal?.direction === 'debit'
  // The account that pays. If a reversal debits the payer, this is the debited account. Otherwise, it is the source.
  const payer = recovers && reversal.target !== destination ? reversal.target : source
  switch (statusRules[status as PaymentStatus].money) {
    case 'untouched':
      return sumByAccount()
    case 'pulled':
      return sumByAccount([source, -amount], ['clearing', amount])
    case 'sent':
      return sumByAccount([source, -amount], ['transit', net], ['fees', fee])
    case 'arrived':
      return sumByAccount([payer, -amount], [destination, net], ['fees', fee])
    case 'coming back':
      return recovers
        ? sumByAccount(['receivable', -amount], [destination, net], ['fees', fee])
        : sumByAccount([source, -amount], ['clearing', amount])
    case 'back':
      return recovers ? sumByAccount() : sumByAccount([source, -amount], [reversal?.target ?? source, amount])
    case 'coming back in part': {
      const part = reversal?.amount ?? 0
      return sumByAccount([source, -amount], [destination, net - part], ['fees', fee], ['clearing', part])
    }
    case 'back in part': {
      const part = reversal?.amount ?? 0
      return sumByAccount(
        [source, -amount],
        [reversal?.target ?? source, part],
        [destination, net - part],
        ['fees', fee],
      )
    }
  }
}

/** Returns the postings that turn one position into another. */
export function postingsBetween(before: Position, after: Position): Position {
  return sumByAccount(...after, ...[...before].map(([account, amount]) => [account, -amount] as const))
}

/**
 * True if a reversal can have this amount: the whole payment or, after a partial return, part of the amount that
 * arrived.
 */
const isReversalAmount = ({ status, amount, fee }: LedgerPayment, cents: number): boolean =>
  statusRules[status as PaymentStatus].money.endsWith('in part')
    ? isPartialAmount(cents, amount - fee)
    : cents === amount

/** Returns the contradictions between a payment and its postings, or an empty list if they agree. */
export function findFaults(paid: LedgerPayment, posted: Position): string[] {
  const faults: string[] = []
  const total = [...posted.values()].reduce((all, amount) => all + amount, 0)
  if (total !== 0) faults.push(`the postings sum to ${total}`)
  const differences = postingsBetween(posted, position(paid))
  if (differences.size > 0)
    faults.push(`a payment that is ${paid.status} has other postings: ${[...differences.values()].join(', ')}`)
  const allowed = reversalStatuses[paid.status as PaymentStatus]
  const reversalStatus = paid.reversal?.status as ReversalStatus | undefined
  const isAllowed =
    reversalStatus === undefined
      ? allowed === undefined || paid.status === 'settled'
      : allowed?.includes(reversalStatus)
  if (!isAllowed) faults.push(`a payment that is ${paid.status} has a reversal that is ${reversalStatus ?? 'missing'}`)
  if (paid.reversal && !isReversalAmount(paid, paid.reversal.amount))
    faults.push(
      `a payment of ${paid.amount} less ${paid.fee} that is ${paid.status} has a reversal of ${paid.reversal.amount}`,
    )
  return faults
}
