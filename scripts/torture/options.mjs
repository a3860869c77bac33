/** The command line of the fault tests. */
import { parseArgs } from 'node:util'

export const usage = `Runs the fault tests.
  --engine sqlite|postgres|both   the stores to test; both by default
  --quick                         runs a short form of each fault test, several at once
  --only TEXT                     runs the fault tests whose names contain TEXT
  --at-once N                     runs N fault tests at the same time
  --ha                            runs on a three-node PostgreSQL cluster with failover
  --database-url URL              runs on your own PostgreSQL-compatible database
  --help                          prints this text`

const text = { type: 'string' }
const flag = { type: 'boolean', default: false }

/** Reads the arguments. Throws an error whose message says what is wrong. */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      engine: { ...text, default: 'both' },
      quick: flag,
      only: { ...text, default: '' },
      'at-once': text,
      ha: flag,
      'database-url': text,
      help: flag,
    },
  })
  if (!['sqlite', 'postgres', 'both'].includes(values.engine))
    throw new Error('--engine must be sqlite, postgres or both')
  /** In a full run, fault tests run one at a time, because their time limits assume an otherwise idle machine. */
  const atOnce = Number(values['at-once'] ?? (values.quick && !values.ha ? 4 : 1))
  if (!Number.isInteger(atOnce) || atOnce < 1) throw new Error('--at-once must be a whole number, 1 or greater')
  return { ...values, atOnce }
}
