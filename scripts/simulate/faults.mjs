/** Decides which faults happen. Each kind of fault has its own random numbers, and a rate that the seed chooses. */
import { createRandom } from './random.mjs'

/**
 * The kinds of faults, with the share of opportunities that a usual seed uses. Statements, transactions and commits are
 * counted per statement, requests and calls one by one, and the rest per second.
 */
const rates = {
  'kill a process at a statement': 1 / 1_500,
  'fail a statement because the disk is full': 1 / 2_000,
  'fail a statement because of an I/O error': 1 / 2_000,
  'refuse a lock': 1 / 150,
  'fail a commit': 1 / 300,
  'lose the answer to a commit': 1 / 100,
  'fill the disk for a while': 1 / 60,
  'fill the disk for minutes': 1 / 20,
  'lose a request': 1 / 60,
  'lose a response': 1 / 30,
  'deliver a request twice': 1 / 60,
  'delay a request': 1 / 30,
  'pause a process': 1 / 60,
  'pause a process before a transaction': 1 / 3_000,
  'change a clock': 1 / 90,
  'stop a process in order': 1 / 120,
  'cut the line to a company for a while': 1 / 90,
  'lose a call to a company': 1 / 40,
  'delay a call to a company': 1 / 15,
  'lose the answer of a company': 1 / 40,
  'deliver a call to a company twice': 1 / 60,
  'break the answer of a company': 1 / 60,
  'delay the answer of a company': 1 / 20,
  'pause a process before an answer of a company': 1 / 300,
  'delay the answer to a cancellation': 1 / 3,
  'lose the webhook of a company': 1 / 10,
  'deliver the webhook of a company twice': 1 / 10,
}

/** The factors by which a seed multiplies the rate of a kind of fault. */
const INTENSITIES = [0, 0.5, 1, 1, 3]

/** The kind that happens only in seeds with a long outage, in which all other kinds are rare. */
const OUTAGE = 'fill the disk for minutes'

/**
 * @param slowdown 1, or the factor by which the faults of a seed with a long outage are less frequent
 * @param only `{ kinds, from, to }` limits the faults to these kinds and to these numbers in the order of their
 *   occurrence; used to find out which faults a failure requires
 */
export function createFaults({ seed, timeline, slowdown, only = {} }) {
  const { kinds = null, from = 1, to = Number.POSITIVE_INFINITY } = only
  const sources = new Map()
  const counts = {}
  let total = 0
  let areOn = false
  for (const [kind, rate] of Object.entries(rates)) {
    const random = createRandom(`${seed} ${kind}`)
    const intensity = random.pick(INTENSITIES)
    const isLeftOut = kinds !== null && !kinds.includes(kind)
    const usual = kind === OUTAGE ? (slowdown > 1 ? rate : 0) : (rate * intensity) / slowdown
    sources.set(kind, { random, rate: isLeftOut ? 0 : usual })
  }
  return {
    /** The number of faults of each kind. */
    counts,
    /** The number of faults. */
    get total() {
      return total
    },
    get areOn() {
      return areOn
    },
    start() {
      areOn = true
    },
    end() {
      areOn = false
    },
    /**
     * True if a fault of this kind happens now.
     * @param where the process or client that it happens to
     * @param factor multiplies the rate
     */
    hit(kind, where, factor = 1) {
      if (!areOn) return false
      const { random, rate } = sources.get(kind)
      if (!random.chance(rate * factor)) return false
      total += 1
      if (total < from || total > to) return false
      counts[kind] = (counts[kind] ?? 0) + 1
      timeline.note(where, `FAULT ${total}: ${kind}`)
      return true
    },
    /** Random numbers for the details of a fault. */
    random: kind => sources.get(kind).random,
  }
}
