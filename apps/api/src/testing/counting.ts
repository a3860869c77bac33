/** Test helper that counts the statements needed to produce a response. */
import type { KyselyPlugin } from 'kysely'
import type { Store } from '../platform/db/store.js'

export interface Counter {
  /** Wraps a test service's store. */
  store(store: Store): Store
  /** Returns the number of statements since the previous call. */
  taken(): number
}

export function counter(): Counter {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: args => args.node,
    // This runs once per executed statement. `transformQuery` would also run for parts of a query.
    async transformResult(args) {
      count++
      return args.result
    },
  }
  return {
    store: store => ({
      ...store,
      reader: store.reader.withPlugin(plugin),
      behind: read => store.behind(db => read(db.withPlugin(plugin))),
      write: work => store.write(tx => work(tx.withPlugin(plugin))),
    }),
    taken() {
      const taken = count
      count = 0
      return taken
    },
  }
}
