import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import type { Holder, Outcome, Product, RecordRow } from '../holders/product.js'
import { productOf } from '../holders/product-rules.js'
import { findHolder, lockHolder } from '../holders/store.js'
import { readRecord } from '../records/sealing.js'
import { fillRecord, findAnyRecord } from '../records/store.js'

interface LoadedRecord {
  product: Product
  row: RecordRow
  holder: Holder
}

/** Loads a record with its product and holder; undefined if the record does not belong to a product. */
export async function loadRecord(scope: Scope, id: string, find = findHolder): Promise<LoadedRecord | undefined> {
  const row = await findAnyRecord(scope, id)
  const product = row && productOf(scope.deps.offers, row)
  const holder = product && (await find(scope, row.holder_id))
  return holder && { product, row, holder }
}

/** Loads a record to fill it. Locks the holder, so that its person can't stop sharing it until the record is filled. */
const lockRecord = (scope: Scope, id: string): Promise<LoadedRecord | undefined> =>
  loadRecord(scope, id, /* mutant: filled-record-locks-its-holder (remove) */ lockHolder)

/** Fills a product's record by calling external services. */
export const runRecord: JobHandler = {
  attempts: 5,
  async run(scope, payload) {
    const loaded = await loadRecord(scope, payload['record'] ?? '')
    if (!loaded || !['pending', 'in_progress'].includes(loaded.row.status)) return async () => undefined
    const { product, row, holder } = loaded
    const outcome: Outcome = await product.fetchData(scope, holder, readRecord(scope, product, row))
    return async saving => {
      const current = await lockRecord(saving, row.id)
      if (current) await fillRecord(saving, current.product, current.holder, current.row, outcome)
      const retryInMs = outcome.status === 'pending' ? outcome.again_in : undefined
      return retryInMs === undefined ? undefined : { again: saving.now + retryInMs }
    }
  },
  async exhausted(scope, payload) {
    const loaded = await lockRecord(scope, payload['record'] ?? '')
    if (loaded)
      await fillRecord(scope, loaded.product, loaded.holder, loaded.row, {
        status: 'failed',
        code: loaded.product.unreachable,
      })
  },
}
