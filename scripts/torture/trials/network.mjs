/** Makes payments while PostgreSQL restarts, or while the network between the service and PostgreSQL loses data. */

import { createProxy } from '../proxy.mjs'
import { underDisturbance } from './payments.mjs'

const ROLES = ['api', 'worker']
/**
 * The service's statement timeout, in seconds, and the maximum time that the service then waits for a response, in ms.
 */
const STATEMENT = 6
const SILENT = (STATEMENT + 2) * 1_000
/** The time, in ms, after which PostgreSQL ends a transaction whose client is silent: the service's `LIMITS.idle`. */
const IDLE = 60_000
/** Extra time for a busy machine, in ms. */
const SLACK = 20_000

const seconds = ms => (ms / 1000).toFixed(1)

/** @param act causes a failure, and returns once it has taken effect */
function measured(what, act, more = {}) {
  const gaps = []
  const disturbance = {
    what,
    ...more,
    async act(crew, store) {
      const longest = crew.watch()
      await act(store)
      await crew.acknowledged()
      gaps.push(longest())
      crew.kills += 1
    },
  }
  return { disturbance, longest: () => Math.max(0, ...gaps) }
}

/** Restarts PostgreSQL, which ends every connection and briefly refuses new ones. */
async function paymentsOverRestarts(trial) {
  const { disturbance, longest } = measured('restarts of PostgreSQL', store => store.restart())
  const line = await underDisturbance(trial, ROLES, disturbance)
  return `${line}; no write was acknowledged for ${seconds(longest())} s at most`
}

/** Runs `work` with a proxy in front of PostgreSQL, and with the environment of a service that uses the proxy. */
export async function throughProxy({ store }, work) {
  const proxy = await createProxy(store.url)
  try {
    return await work(proxy, { DATABASE_URL: proxy.at(store.url) })
  } finally {
    proxy.close()
  }
}

/**
 * Drops PostgreSQL's response to a commit. The service cannot determine whether the transaction was committed, so the
 * client repeats the request.
 */
const paymentsOverLostCommits = trial =>
  throughProxy(trial, async (proxy, env) =>
    underDisturbance(trial, ROLES, {
      what: 'lost responses to a commit',
      env,
      async act(crew) {
        await proxy.loseCommit()
        crew.kills += 1
      },
    }),
  )

/** Stops forwarding data on the open connections to PostgreSQL without closing them. */
const paymentsOverSilentConnections = trial =>
  throughProxy(trial, async (proxy, env) => {
    let silenced = 0
    const { disturbance, longest } = measured(
      'times all connections went silent',
      () => {
        silenced += proxy.silence()
      },
      { env: { ...env, DATABASE_TIMEOUT: String(STATEMENT) } },
    )
    const line = await underDisturbance(trial, ROLES, disturbance)
    // PostgreSQL holds the locks of transactions on silent connections until it ends those transactions.
    const limit = SILENT + IDLE + SLACK
    trial.expect(longest() <= limit, `no write was acknowledged for ${seconds(longest())} s`)
    trial.expect(silenced > 0, 'no connection was silent')
    return `${line}; ${silenced} connections, no write was acknowledged for ${seconds(longest())} s at most`
  })

export const trials = [
  {
    name: 'payments over restarts of PostgreSQL',
    run: paymentsOverRestarts,
    rounds: [1, 30],
    seconds: 180,
    amount: [300, 1_000],
    on: 'postgres',
    own: true,
  },
  {
    name: 'payments over lost commits',
    run: paymentsOverLostCommits,
    rounds: [2, 200],
    seconds: 120,
    amount: [200, 300],
    on: 'postgres',
  },
  {
    name: 'payments over silent connections',
    run: paymentsOverSilentConnections,
    rounds: [1, 4],
    seconds: 180,
    amount: [300, 2_000],
    on: 'postgres',
    whole: true,
  },
]
