/** Test helper that counts the database statements that a service runs. */
import type { KyselyPlugin } from 'kysely'
import type { Store } from '../../platform/db/store.js'

export interface Counter {
  /** Wraps a test service's store. */
  store(store: Store): Store
  /** Returns the number of statements run since the previous call. */
  taken(): number
  /** Returns the largest number of statements in a single transaction since the previous call. */
  largest(): number
}

export function counter(): Counter {
  let count = 0
  let largest = 0
  const plugin = (done?: () => void): KyselyPlugin => ({
    transformQuery: args => args.node,
    // `transformResult` runs once per executed statement; `transformQuery` would also run for parts of a query.
    async transformResult(args) {
      count++
      done?.()
      return args.result
    },
  })
  const inTransaction = (): KyselyPlugin => {
    let own = 0
    return plugin(() => {
      own++
      largest = Math.max(largest, own)
    })
  }
  return {
    store: store => ({
      ...store,
      reader: store.reader.withPlugin(plugin()),
      behind: read => store.behind(db => read(db.withPlugin(plugin()))),
      write: work => store.write(tx => work(tx.withPlugin(inTransaction()))),
    }),
    taken() {
      const taken = count
      count = 0
      return taken
    },
    largest() {
      const most = largest
      largest = 0
      return most
    },
  }
}
