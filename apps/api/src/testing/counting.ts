/** For tests alone: how many statements an answer costs. */
import type { KyselyPlugin } from 'kysely'
import type { Store } from '../platform/db/store.js'

export interface Counter {
  /** Stands before the store of a test service. */
  store(store: Store): Store
  /** Statements since the last asking. */
  taken(): number
}

export function counter(): Counter {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: args => args.node,
    // Once for each statement that ran; a query is also transformed where it is a part of another one.
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
