/**
 * Runs the fault tests, which check the guarantees in docs/reliability.md on a running service, with races, kills at
 * every point, two processes, and a store that has lost a table. The tests use the built service, in separate
 * processes, with temporary stores. All traffic stays on this machine.
 *   node scripts/torture/torture.mjs [--engine sqlite|postgres|both] [--quick] [--only text] [--at-once N]
 *   node scripts/torture/torture.mjs --ha [--quick] [--only text]       on a three-node cluster with failover
 *   node scripts/torture/torture.mjs --database-url URL [--only text]   on your own PostgreSQL-compatible database
 * Each fault test prints one line with its counts and its duration. The exit code is 1 if any guarantee was broken. The
 * run needs no input. A run takes about an hour, or a few minutes with --quick, which runs several fault tests at once.
 */
import { writeFileSync } from 'node:fs'
import { usePostgres } from '../test/postgres.mjs'
import { reportFile } from '../test/tally.mjs'
import { debianRoot } from './ha/root.mjs'
import { trials as failovers } from './ha/trial.mjs'
import { killedMigrations } from './migrations.mjs'
import { readOptions, usage } from './options.mjs'
import { runTrial } from './run-trial.mjs'
import { trials as chain } from './trials/chain.mjs'
import { trials as clocks } from './trials/clocks.mjs'
import { trials as crashes } from './trials/crashes.mjs'
import { trials as flow } from './trials/flow.mjs'
import { trials as histories } from './trials/histories.mjs'
import { trials as network } from './trials/network.mjs'
import { trials as outage } from './trials/outage.mjs'
import { trials as ownership } from './trials/ownership.mjs'
import { trials as payments } from './trials/payments.mjs'
import { trials as providers } from './trials/providers.mjs'
import { trials as races } from './trials/races.mjs'
import { trials as webhooks } from './trials/webhooks.mjs'
import { trials as writers } from './trials/writers.mjs'
import { paymentsThroughUpgrade, UPGRADE_STEPS } from './upgrade.mjs'

let options
try {
  options = readOptions(process.argv.slice(2))
} catch (error) {
  console.error(`${error.message}\n\n${usage}`)
  process.exit(2)
}
if (options.help) {
  console.log(usage)
  process.exit(0)
}

/**
 * Each file of fault tests exports its rows. `processes`: the number of service processes to start for the fault test,
 * or 0, the default, if it starts its own. `amount`: [quick, full], for a fault test whose size is not a number of
 * rounds. `whole`: true if there is no quick form. `own`: true if the fault test gets its own PostgreSQL server.
 * `rounds`: [quick, full]. No round of the full form starts after `seconds`. The quick form is limited by its number
 * of rounds, so it checks as much on a busy machine as on an idle one, and has a time limit of `HANG` seconds that
 * only protects against hangs.
 */
const HANG = 120
const trials = [
  ...races,
  ...crashes,
  ...flow,
  ...writers,
  ...webhooks,
  ...payments,
  ...providers,
  ...chain,
  ...histories,
  ...network,
  ...clocks,
  ...outage,
  ...ownership,
  {
    name: 'migrations under kills',
    run: killedMigrations,
    rounds: [1, 25],
    seconds: 300,
  },
  {
    name: 'payments through a rolling upgrade',
    run: paymentsThroughUpgrade,
    rounds: [0, UPGRADE_STEPS],
    seconds: 300,
    amount: [1_000, 1_000],
    on: 'postgres',
    whole: true,
  },
].map(trial => ({ processes: 0, ...trial, seconds: [HANG, trial.seconds] }))
/**
 * Fault tests that spend most of their time waiting, either for retries or for the leases of killed processes to
 * expire. These tests start first, so that the others run during the waits.
 */
const LONG = ['webhooks under kills', 'killed between screens', 'payments under kills']

const size = options.quick ? 0 : 1
const { atOnce } = options
/**
 * Returns the database for the stores: `{ url }` for a PostgreSQL server, `{ root }` for a cluster's nodes, or
 * `{ missing }`.
 */
async function findServer() {
  if (options.ha) return debianRoot()
  if (options['database-url']) return { url: options['database-url'] }
  return options.engine === 'sqlite' ? {} : usePostgres()
}

const server = await findServer()
let violations = 0
let left = 0
const failures = []
if (server.missing) {
  console.log(`${options.ha ? 'The cluster' : 'PostgreSQL'} is skipped: ${server.missing}.`)
  if (!options.ha && (options.engine === 'postgres' || process.env.CI)) violations += 1
}
const wanted = options.ha || options['database-url'] ? 'postgres' : options.engine
const engines = (wanted === 'both' ? ['sqlite', 'postgres'] : [wanted]).filter(
  engine => engine === 'sqlite' || !server.missing,
)

async function attempt(engine, trial) {
  const { found, line, seconds } = await runTrial(trial, { engine, server, ha: options.ha, size, atOnce })
  const isSkipped = found.length === 0 && line.startsWith('skipped')
  const outcome = found.length > 0 ? 'VIOLATED' : isSkipped ? 'skipped ' : 'ok      '
  console.log(`${outcome} ${engine.padEnd(8)} ${trial.name}: ${line} (${seconds} s)`)
  for (const sentence of found.slice(0, 8)) console.log(`         ${sentence}`)
  if (line.startsWith('skipped')) left += 1
  if (found.length > 0) {
    violations += 1
    failures.push(`${engine} ${trial.name}: ${found[0]}`)
  }
}

const isFirst = ({ trial }) => atOnce > 1 && LONG.includes(trial.name)
const chosen = engines
  .flatMap(engine => (options.ha ? failovers : trials).map(trial => ({ engine, trial })))
  .filter(({ engine, trial }) => (trial.on ?? engine) === engine && trial.name.includes(options.only))
  // If the server was specified by a URL, skip the fault tests that restart PostgreSQL.
  .filter(({ trial }) => !(options['database-url'] && trial.own))
  .filter(({ trial }) => !(options.quick && trial.whole) && trial.rounds[size] > 0)
const queue = [...chosen.filter(isFirst), ...chosen.filter(each => !isFirst(each))]
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await attempt(next.engine, next.trial)
  }),
)
const tried = chosen.length - left
/** If this machine can't run a cluster, the tests are skipped. This does not count as a failure of the service. */
const skipped = options.ha && server.missing ? 1 : left

server.stop?.()
console.log(violations === 0 ? `All ${tried} fault tests passed.` : `${violations} of ${tried} fault tests failed.`)
const counted = reportFile('torture')
if (counted)
  writeFileSync(counted, JSON.stringify({ passed: tried - violations, failed: violations, skipped, failures }))
process.exitCode = violations === 0 && tried + skipped > 0 ? 0 : 1
