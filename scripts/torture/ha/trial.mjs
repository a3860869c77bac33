/** Payments while nodes of the database's cluster die and are cut off. */
import { underDisturbance } from '../payments.mjs'

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
/** The longest that a client waits for one answer, in ms. */
const CLIENT_PATIENCE = 10_000
/** The length of a cut after another node leads, in ms: the old leader and the new one are both up meanwhile. */
const APART = 10_000

/** Ends the leader with all its processes, and starts it again once another leads. */
async function killLeader(cluster) {
  const node = await cluster.leader()
  cluster.kill(node)
  return async () => cluster.startNode(node)
}

/** Cuts the leader off. */
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

/** Two processes that answer and a worker, with their store in a cluster; `fault`: what happens to its leader. */
export const payersOf = fault => async trial => {
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
      // Who leads may change once more while a node comes back.
      await crew.acknowledged()
      outages.push(longest())
      crew.kills += 1
    },
  })
  return `${line}; no write was acknowledged for ${seconds(median(outages))} s (median) and ${seconds(Math.max(...outages))} s at most`
}
