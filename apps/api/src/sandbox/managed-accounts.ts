import type { ManagedTransaction, Rail, SimulatedTransaction } from '@causeway/connector/ports/rail'
import { DAY_MS } from '@causeway/contract/time'
import { digest, pick } from './digest.js'
import { achRouting } from './tables/inputs.js'

/** This date is a Monday. */
const OPENED_AT = Date.parse('2026-01-05T00:00:00.000Z')
const OPENING_CENTS = 10_000_000

/** Weekly movements in cents. `after` is the number of days after Monday. */
const weeklyMovements: readonly { after: number; description: string; amount(seed: string): number }[] = [
  { after: 0, description: 'Deposit', amount: seed => 4_000_000 + pick(2_000_000, seed) },
  { after: 2, description: 'Payments settled', amount: seed => -3_000_000 - pick(1_500_000, seed) },
  { after: 4, description: 'Account fee', amount: () => -1_500 },
]

/** Returns the description of a transaction that the team requested. */
export const describeSimulated = (amount: number): string => (amount > 0 ? 'Simulated deposit' : 'Simulated withdrawal')

const idOf = (team: string) => `macc_${digest('managed', team).slice(0, 13)}`
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Lists all movements on a team's account up to a given time, newest first. */
function listMovements(
  team: string,
  now: number,
  simulated: readonly SimulatedTransaction[] = [],
): ManagedTransaction[] {
  const movements: (ManagedTransaction & { at: number })[] = simulated.map(({ id, amount, at }) => ({
    id,
    description: describeSimulated(amount),
    date: dayOf(at),
    amount,
    at,
  }))
  const add = (at: number, description: string, amount: number) => {
    const date = dayOf(at)
    const id = `macc_txn_${digest('managed', team, date, description).slice(0, 13)}`
    if (at <= now) movements.push({ id, description, date, amount, at })
  }
  add(OPENED_AT, 'Opening deposit', OPENING_CENTS)
  for (let monday = OPENED_AT; monday <= now; monday += 7 * DAY_MS)
    for (const { after, description, amount } of weeklyMovements) {
      const at = monday + after * DAY_MS
      add(at, description, amount(`${team} ${dayOf(at)}`))
    }
  return movements
    .reverse()
    .sort((a, b) => b.at - a.at)
    .map(({ at: _, ...movement }) => movement)
}

const sumAmounts = (rows: readonly ManagedTransaction[]) => rows.reduce((total, { amount }) => total + amount, 0)

/**
 * Gives each team one account, whose data depends only on the team's id and the time. Incoming money clears the next
 * day.
 */
export const managedAccounts: Pick<Rail, 'managedAccounts' | 'managedTransactions'> = {
  async managedAccounts({ team_id, now, simulated }) {
    if (now < OPENED_AT) return { accounts: [] }
    const movements = listMovements(team_id, now, simulated)
    const uncleared = movements.filter(({ date, amount }) => date === dayOf(now) && amount > 0)
    const account = {
      id: idOf(team_id),
      routing: achRouting,
      number: `8${pick(10 ** 10, 'managed number', team_id)
        .toString()
        .padStart(10, '0')}`,
      current_balance: sumAmounts(movements),
      available_balance: sumAmounts(movements) - sumAmounts(uncleared),
      opened_at: OPENED_AT,
    }
    return { accounts: [account] }
  },

  async managedTransactions({ team_id, now, account, from, to, start, limit, simulated }) {
    const movements = account === idOf(team_id) ? listMovements(team_id, now, simulated) : []
    const matches = movements.filter(({ date }) => (from === null || date >= from) && (to === null || date <= to))
    const startIndex = start === null ? 0 : matches.findIndex(({ id }) => id === start)
    const first = startIndex < 0 ? matches.length : startIndex
    return {
      transactions: matches.slice(first, first + limit),
      next: matches[first + limit]?.id ?? null,
      previous: first > 0 ? matches[Math.max(0, first - limit)]!.id : null,
    }
  },
}
