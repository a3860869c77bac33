import type { ManagedTransaction, Rail } from '../network/rail/port.js'
import { DAY_MS } from '../platform/time.js'
import { digest, pick } from './digest.js'
import { achRouting } from './inputs.js'

/** This date is a Monday. */
const OPENED = Date.parse('2026-01-05T00:00:00.000Z')
const OPENING = 10_000_000

/** Weekly movements in cents. `after` is the number of days after Monday. */
const weekly: readonly { after: number; description: string; amount(seed: string): number }[] = [
  { after: 0, description: 'Deposit', amount: seed => 4_000_000 + pick(2_000_000, seed) },
  { after: 2, description: 'Payments settled', amount: seed => -3_000_000 - pick(1_500_000, seed) },
  { after: 4, description: 'Account fee', amount: () => -1_500 },
]

const idOf = (team: string) => `macc_${digest('managed', team).slice(0, 13)}`
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Lists all movements on a team's account up to a given time, newest first. */
function movements(team: string, now: number): ManagedTransaction[] {
  const all: ManagedTransaction[] = []
  const add = (at: number, description: string, amount: number) => {
    const date = dayOf(at)
    const id = `macc_txn_${digest('managed', team, date, description).slice(0, 13)}`
    if (at <= now) all.push({ id, description, date, amount })
  }
  add(OPENED, 'Opening deposit', OPENING)
  for (let monday = OPENED; monday <= now; monday += 7 * DAY_MS)
    for (const { after, description, amount } of weekly) {
      const at = monday + after * DAY_MS
      add(at, description, amount(`${team} ${dayOf(at)}`))
    }
  return all.reverse()
}

const sum = (rows: readonly ManagedTransaction[]) => rows.reduce((total, { amount }) => total + amount, 0)

/**
 * Gives each team one account, whose data depends only on the team's id and the time. Incoming money clears the next
 * day.
 */
export const managed: Pick<Rail, 'managedAccounts' | 'managedTransactions'> = {
  async managedAccounts({ team_id, now }) {
    if (now < OPENED) return { accounts: [] }
    const all = movements(team_id, now)
    const uncleared = all.filter(({ date, amount }) => date === dayOf(now) && amount > 0)
    const account = {
      id: idOf(team_id),
      routing: achRouting,
      number: `8${pick(10 ** 10, 'managed number', team_id)
        .toString()
        .padStart(10, '0')}`,
      current_balance: sum(all),
      available_balance: sum(all) - sum(uncleared),
      opened_at: OPENED,
    }
    return { accounts: [account] }
  },

  async managedTransactions({ team_id, now, account, from, to, start, limit }) {
    const all = account === idOf(team_id) ? movements(team_id, now) : []
    const wanted = all.filter(({ date }) => (from === null || date >= from) && (to === null || date <= to))
    const found = start === null ? 0 : wanted.findIndex(({ id }) => id === start)
    const first = found < 0 ? wanted.length : found
    return {
      transactions: wanted.slice(first, first + limit),
      next: wanted[first + limit]?.id ?? null,
      previous: first > 0 ? wanted[Math.max(0, first - limit)]!.id : null,
    }
  },
}
