import { findAccount } from '../accounts/store.js'
import { findEntity } from '../entities/store.js'
import type { JobHandler } from '../jobs/jobs.js'
import type { Scope } from '../scope.js'
import type { Outcome, Product, RecordRow } from './product.js'
import { productOf } from './registry.js'
import { settleRecord } from './store.js'

async function load(
  scope: Scope,
  id: string,
): Promise<{ product: Product; row: RecordRow; holder: never } | undefined> {
  const row = await scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .executeTakeFirst()
  const product = row && productOf(row.product)
  if (!product) return undefined
  const holder =
    product.holder === 'entity' ? await findEntity(scope, row.holder_id) : await findAccount(scope, row.holder_id)
  return holder && { product, row, holder: holder as never }
}

/** Fills a product's record by asking the outside. */
export const runRecord: JobHandler = {
  attempts: 5,
  async run(scope, payload) {
    const found = await load(scope, payload['record'] ?? '')
    if (!found || !['pending', 'in_progress'].includes(found.row.status)) return async () => undefined
    const outcome: Outcome = await found.product.ask(scope, found.holder, found.row)
    return async saving => {
      const now = await load(saving, found.row.id)
      if (now) await settleRecord(saving, now.product, now.holder, now.row, outcome)
      return undefined
    }
  },
  async exhausted(scope, payload) {
    const found = await load(scope, payload['record'] ?? '')
    if (found)
      await settleRecord(scope, found.product, found.holder, found.row, {
        status: 'failed',
        code: found.product.unreachable,
      })
  },
}
