import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import { holderOf } from './holders.js'
import type { Holder, Outcome, Product, RecordRow } from './product.js'
import { productOf } from './rules.js'
import { readRecord } from './sealing.js'
import { recordById, settleRecord } from './store.js'

/** Loads a record with its product and holder; undefined if the record does not belong to a product. */
export async function loadRecord(
  scope: Scope,
  id: string,
): Promise<{ product: Product; row: RecordRow; holder: Holder } | undefined> {
  const row = await recordById(scope, id)
  const product = row && productOf(scope.deps.offers, row)
  const holder = product && (await holderOf(scope, row.holder_id))
  return holder && { product, row, holder }
}

/** Fills a product's record by calling external services. */
export const runRecord: JobHandler = {
  attempts: 5,
  async run(scope, payload) {
    const found = await loadRecord(scope, payload['record'] ?? '')
    if (!found || !['pending', 'in_progress'].includes(found.row.status)) return async () => undefined
    const { product, row, holder } = found
    const outcome: Outcome = await product.ask(scope, holder, readRecord(scope, product, row))
    return async saving => {
      const now = await loadRecord(saving, row.id)
      if (now) await settleRecord(saving, now.product, now.holder, now.row, outcome)
      const wait = outcome.status === 'pending' ? outcome.again_in : undefined
      return wait === undefined ? undefined : { again: saving.now + wait }
    }
  },
  async exhausted(scope, payload) {
    const found = await loadRecord(scope, payload['record'] ?? '')
    if (found)
      await settleRecord(scope, found.product, found.holder, found.row, {
        status: 'failed',
        code: found.product.unreachable,
      })
  },
}
