import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import type { Holder, Outcome, Product, RecordRow } from '../holders/product.js'
import { productOf } from '../holders/product-rules.js'
import { findHolder } from '../holders/store.js'
import { readRecord } from '../records/sealing.js'
import { fillRecord, findAnyRecord } from '../records/store.js'

/** Loads a record with its product and holder; undefined if the record does not belong to a product. */
export async function loadRecord(
  scope: Scope,
  id: string,
): Promise<{ product: Product; row: RecordRow; holder: Holder } | undefined> {
  const row = await findAnyRecord(scope, id)
  const product = row && productOf(scope.deps.offers, row)
  const holder = product && (await findHolder(scope, row.holder_id))
  return holder && { product, row, holder }
}

/** Fills a product's record by calling external services. */
export const runRecord: JobHandler = {
  attempts: 5,
  async run(scope, payload) {
    const loaded = await loadRecord(scope, payload['record'] ?? '')
    if (!loaded || !['pending', 'in_progress'].includes(loaded.row.status)) return async () => undefined
    const { product, row, holder } = loaded
    const outcome: Outcome = await product.fetchData(scope, holder, readRecord(scope, product, row))
    return async saving => {
      const current = await loadRecord(saving, row.id)
      if (current) await fillRecord(saving, current.product, current.holder, current.row, outcome)
      const retryInMs = outcome.status === 'pending' ? outcome.again_in : undefined
      return retryInMs === undefined ? undefined : { again: saving.now + retryInMs }
    }
  },
  async exhausted(scope, payload) {
    const loaded = await loadRecord(scope, payload['record'] ?? '')
    if (loaded)
      await fillRecord(scope, loaded.product, loaded.holder, loaded.row, {
        status: 'failed',
        code: loaded.product.unreachable,
      })
  },
}
