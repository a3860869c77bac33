/** Compares a provider's statement with the payments that caused it. Pure. */
import type { StatementLine } from '@causeway/connector/provider/provider'
import type { PaymentStatus } from '@causeway/contract/resources/payment'

/** A payment or reversal, as the statement should show it. */
export interface ExpectedTransfer {
  kind: 'payment' | 'reversal'
  id: string
  /** The amount that arrives at the destination, in cents. */
  amount: number
  status: PaymentStatus | string
  /** In epoch milliseconds. */
  created_at: number
}

type StatementException =
  /** The provider moved money for a transfer that the service does not know. */
  | { kind: 'missing_here'; line: string; amount: number; at: number }
  /** The service says that a payment left, but the statement does not show it. */
  | { kind: 'missing_there'; resource: string; amount: number; at: number }
  | { kind: 'different_amount'; resource: string; line: string; amount: number; expected: number; at: number }
  /** A payment left more than once. */
  | { kind: 'repeated'; resource: string; line: string; amount: number; at: number }
  /** Money was returned, but the service says that the payment arrived. */
  | { kind: 'returned_there'; resource: string; line: string; amount: number; at: number }

export interface Comparison {
  /** The number of lines that agree with a payment or a reversal. */
  matched: number
  /** The lines that no payment caused, such as fees and deposits: their number and sum by category. */
  other: Record<string, { count: number; sum: number }>
  exceptions: StatementException[]
}

/** The statuses of payments whose money left and did not come back. */
const arrived: ReadonlySet<string> = new Set(['sent', 'posted', 'cashed', 'settled'])

export interface CompareInput {
  lines: readonly StatementLine[]
  /** The resources by the provider's id of their transfer. */
  transfers: ReadonlyMap<string, ExpectedTransfer>
  /** The resources that must have a line that leaves in the period. */
  expected: readonly ExpectedTransfer[]
}

export function compareStatement({ lines, transfers, expected }: CompareInput): Comparison {
  const result: Comparison = { matched: 0, other: {}, exceptions: [] }
  const left = new Set<string>()
  for (const { id: line, amount, at, category, transfer } of lines) {
    const resource = transfer === null ? undefined : transfers.get(transfer)
    if (resource === undefined) {
      if (transfer !== null) result.exceptions.push({ kind: 'missing_here', line, amount, at })
      else {
        const { count, sum } = result.other[category] ?? { count: 0, sum: 0 }
        result.other[category] = { count: count + 1, sum: sum + amount }
      }
      continue
    }
    const shared = { resource: resource.id, line, amount, at }
    if (Math.abs(amount) !== resource.amount)
      result.exceptions.push({ kind: 'different_amount', ...shared, expected: resource.amount })
    else if (amount < 0 && left.has(resource.id)) result.exceptions.push({ kind: 'repeated', ...shared })
    else if (amount > 0 && resource.kind === 'payment' && arrived.has(resource.status))
      result.exceptions.push({ kind: 'returned_there', ...shared })
    else result.matched++
    if (amount < 0) left.add(resource.id)
  }
  for (const { id, amount, status, created_at } of expected)
    if (arrived.has(status) && !left.has(id))
      result.exceptions.push({ kind: 'missing_there', resource: id, amount, at: created_at })
  return result
}
