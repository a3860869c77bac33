/** The two services that the cases run against, and the clients of both. */
import { setTimeout as wait } from 'node:timers/promises'
import { Causeway } from '../../packages/sdk/dist/index.js'
import { createHook, lowerEnv, lowerKey, upperEnv } from '../torture/chain.mjs'
import { lender } from '../torture/lender.mjs'
import { secretKey, start } from '../torture/service.mjs'
import { createStore } from '../torture/store.mjs'

/** The time limit for one service to notice what happened at the other, in ms. */
const NOTICE_MS = 15_000
const POLL_MS = 30
const FINISHED = new Set(['completed', 'failed'])

/** Returns the first value of `read` that meets `isReached`, or throws. */
export async function until(read, isReached, what) {
  let value
  for (const limit = performance.now() + NOTICE_MS; performance.now() < limit; await wait(POLL_MS)) {
    value = await read()
    if (isReached(value)) return value
  }
  throw new Error(`${what} did not happen in time: ${JSON.stringify(value)?.slice(0, 600)}`)
}

const clientOf = ({ api }, apiKey) => new Causeway({ apiKey, baseUrl: api })

/**
 * Starts both services. `above` and `below` are clients of the upper and the lower one, `ours` and `theirs` send
 * requests to them without a client.
 */
export async function startChain() {
  const stores = { lower: await createStore('sqlite'), upper: await createStore('sqlite') }
  const lower = await start(stores.lower, lowerEnv)
  const upper = await start(stores.upper, upperEnv(lower.api))
  const theirs = lender(lower, lowerKey)
  const ours = lender(upper)
  const above = clientOf(upper, secretKey)
  const below = clientOf(lower, lowerKey)
  for (const each of [above, below]) await each.team.update({ ach_destinations: true })
  return {
    ...{ above, below, ours, theirs, upper, lower, stores },
    /** The variables of the upper service, for commands. */
    env: upperEnv(lower.api),
    /** Lets the lower service report payments to the upper one. */
    connectHook: () => createHook(theirs, upper.api),
    /** Advances the clocks of both services. The lower one goes first, so the upper one finds what happened there. */
    async advance(duration) {
      for (const each of [below, above]) await each.simulate.clock.advance(duration)
    },
    /** Creates a record of a product at the upper service, and waits until it is finished. */
    async record(records, holder, params) {
      const { id } = await records.create(holder, params)
      return until(
        () => records.retrieve(holder, id),
        ({ status }) => FINISHED.has(status),
        id,
      )
    },
    /** Creates a bank account at the upper service. Each has another routing number. */
    async bankAccount(number, routing = '062103000') {
      const { id } = await above.entities.create({ type: 'corporation', corporation: { name: 'Northwind' } })
      const account = await above.accounts.create({ holder_id: id, ach: { routing, number, type: 'checking' } })
      return account.id
    },
    /** Finds the lower service's payments that were made for a payment of the upper one. */
    async paymentsBelow(payment) {
      const found = []
      for await (const each of below.payments.list({ page_limit: 100 }))
        if (each.metadata?.causeway_payment === payment) found.push(each)
      return found
    },
    /** Stops both services. Returns the lines that they logged as errors. */
    async stop() {
      await upper.stop()
      await lower.stop()
      for (const store of Object.values(stores)) await store.remove()
      return [...upper.errors, ...lower.errors]
    },
  }
}
