/** Follows the statuses of rows: counts every move from one status to another, and checks that it is allowed. */
import { moves } from './moves.mjs'

/** The columns that are followed, as `[table, column]`. */
const columns = Object.entries({
  payments: 'status',
  reversals: 'status',
  entities: 'status',
  accounts: 'status',
  records: 'status',
  subscriptions: 'status',
  webhooks: 'status',
  deliveries: 'status',
  jobs: 'state',
  sessions: 'payout_status',
  report_schedules: 'status',
  payees: 'status',
})

/** Returns the name under which a table's moves are counted, as an SQL expression: one for each product of the records. */
const nameOf = table => (table === 'records' ? 'old.product' : `'${table}'`)

const triggers = columns.map(
  ([table, column]) =>
    `create temp trigger moved_${table} after update of ${column} on main.${table} when old.${column} <> new.${column}
     begin select moved(${nameOf(table)}, old.id, old.${column}, new.${column}); end`,
)

/** @param expect `expect(holds, sentence)` */
export function createStatuses({ expect }) {
  /** The moves that were committed: how often each was, such as `payments: pending → processing`. */
  const counts = {}
  return {
    counts,
    /**
     * Follows the statements of a connection.
     * @returns `{ statement(sql), end(isCommitted) }`, to be told of each statement and of the end of each transaction
     */
    follow(database) {
      let open = []
      const lengths = new Map()
      database.watch({ moved: (...move) => void open.push(move) }, triggers)
      return {
        statement(sql) {
          const [, back, name] = /^(rollback to )?savepoint (\w+)/.exec(sql) ?? []
          if (!name) return
          if (back) open.length = Math.min(open.length, lengths.get(name) ?? 0)
          else lengths.set(name, open.length)
        },
        end(isCommitted) {
          for (const [table, id, from, to] of isCommitted ? open : []) {
            const name = `${table}: ${from} → ${to}`
            counts[name] = (counts[name] ?? 0) + 1
            expect(moves[table]?.[from]?.includes(to) ?? !moves[table], `${table} ${id} moved from ${from} to ${to}`)
          }
          open = []
          lengths.clear()
        },
      }
    },
  }
}
