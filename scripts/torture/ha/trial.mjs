/** Makes payments while nodes of the database cluster are killed and isolated. */
import { underDisturbance } from '../trials/payments.mjs'

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
/** A client's timeout for a response, in ms. */
const CLIENT_PATIENCE = 10_000
/**
 * The number of milliseconds that the old leader stays isolated after another node takes over. During that time, both
 * nodes are running.
 */
const APART = 10_000

/** Kills all of the leader's processes. Restarts them once another node is the leader. */
async function killLeader(cluster) {
  const node = await cluster.leader()
  cluster.kill(node)
  return async () => cluster.startNode(node)
}

/** Isolates the leader. */
const cutLeader = from => async cluster => {
  const node = await cluster.leader()
  cluster.cut(node, from)
  return async () => {
    await pause(APART)
    cluster.heal()
  }
}

const faults = {
  'node kills': killLeader,
  'cuts from the other nodes': cutLeader('peers'),
  'cuts from everybody': cutLeader('all'),
}

const median = values => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const seconds = ms => (ms / 1000).toFixed(1)

/** Runs two API processes and a worker, with their store in a cluster. `fault` specifies how the leader fails. */
const payersOf = fault => async trial => {
  const outages = []
  const line = await underDisturbance(trial, ['api', 'api', 'worker'], {
    what: fault,
    patience: CLIENT_PATIENCE,
    async act(crew, cluster) {
      const longest = crew.watch()
      const repair = await faults[fault](cluster)
      await crew.acknowledged()
      await repair()
      await cluster.whole()
      // The leader can change again while a node rejoins.
      await crew.acknowledged()
      outages.push(longest())
      crew.kills += 1
    },
  })
  return `${line}; no write was acknowledged for ${seconds(median(outages))} s (median) and ${seconds(Math.max(...outages))} s at most`
}

/** Shared options for tests on a cluster. `seconds` only protects against hangs. */
const cluster = { processes: 0, seconds: [300, 3_600], amount: [5_000, 5_000] }
export const trials = [
  { name: 'node kills', ...cluster, rounds: [1, 20] },
  { name: 'cuts from the other nodes', ...cluster, rounds: [1, 10] },
  { name: 'cuts from everybody', ...cluster, rounds: [0, 10] },
  { name: 'node kills, through PgBouncer', fault: 'node kills', pooled: true, ...cluster, rounds: [0, 5] },
].map(trial => ({ ...trial, run: payersOf(trial.fault ?? trial.name) }))
