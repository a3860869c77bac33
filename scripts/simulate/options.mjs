/** The command line of the simulation. */
import { parseArgs } from 'node:util'

export const usage = `Simulates the service with faults. The same seed always does the same.
  --seed N             one seed
  --seeds A-B          the seeds from A to B; 1-20 by default
  --new N              N seeds that no earlier day has used
  --minutes M          seeds from A on, until M minutes have passed
  --at-once N          the number of seeds that run at the same time; by default, one for each core
  --clients NAMES      only these clients, separated by commas
  --faults A-B         only the faults with these numbers, in the order in which they occur
  --kinds NAMES        only these kinds of faults, separated by commas
  --without NAME       removes a protection from the service: see removal-list.mjs
  --no-shrink          reports a failing seed as it is
  --timeline           prints the whole timeline of each seed
  --help               prints this text`

const text = { type: 'string' }
const flag = { type: 'boolean', default: false }

/** Reads a range such as `1-20`. */
export function readRange(name, value) {
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(value) ?? []
  if (from === undefined || Number(to ?? from) < Number(from))
    throw new Error(`--${name} must be a range such as 1-20, not ${value}`)
  return { from: Number(from), to: Number(to ?? from) }
}

const readNames = value => value?.split(',').map(name => name.trim())

/** The number of seeds of a day. */
const SEEDS_PER_DAY = 10_000

/** Returns the seeds to run. */
function chooseSeeds({ seed, seeds = '1-20', new: count }) {
  if (seed !== undefined) return readRange('seed', seed)
  if (count === undefined) return readRange('seeds', seeds)
  const first = Math.floor(Date.now() / 86_400_000) * SEEDS_PER_DAY
  if (!(Number(count) >= 1 && Number(count) <= SEEDS_PER_DAY))
    throw new Error(`--new must be a number from 1 to ${SEEDS_PER_DAY}, not ${count}`)
  return { from: first, to: first + Number(count) - 1 }
}

/** Reads the arguments. Throws an error whose message says what is wrong. */
export function readOptions(args, cores) {
  const { values } = parseArgs({
    args,
    options: {
      seed: text,
      seeds: text,
      minutes: text,
      new: text,
      'at-once': text,
      clients: text,
      faults: text,
      kinds: text,
      without: text,
      'no-shrink': flag,
      timeline: flag,
      help: flag,
    },
  })
  const minutes = values.minutes === undefined ? null : Number(values.minutes)
  if (minutes !== null && !(minutes > 0)) throw new Error(`--minutes must be a positive number, not ${values.minutes}`)
  const atOnce = Number(values['at-once'] ?? cores)
  if (!Number.isInteger(atOnce) || atOnce < 1) throw new Error('--at-once must be a whole number, 1 or greater')
  const range = chooseSeeds(values)
  const clients = readNames(values.clients)
  const kinds = readNames(values.kinds)
  return {
    from: range.from,
    to: minutes === null ? range.to : Number.POSITIVE_INFINITY,
    minutes,
    atOnce,
    only: {
      ...(clients && { clients }),
      ...(kinds && { kinds }),
      ...(values.faults && readRange('faults', values.faults)),
    },
    without: values.without ?? null,
    shrinks: !values['no-shrink'],
    timeline: values.timeline,
    help: values.help,
  }
}

/** Returns the command that repeats a run. */
export function commandOf(seed, { clients, kinds, from, to }, without = null) {
  return [
    `pnpm simulate --seed ${seed}`,
    ...(without ? [`--without ${without}`] : []),
    ...(clients ? [`--clients "${clients.join(',')}"`] : []),
    ...(kinds ? [`--kinds "${kinds.join(',')}"`] : []),
    ...(from === undefined ? [] : [`--faults ${from}-${to}`]),
  ].join(' ')
}
