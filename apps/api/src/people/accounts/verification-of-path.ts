import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import type { RecordRow } from '../holders/product.js'
import { findAccount } from '../holders/store.js'
import { findRecord } from '../records/store.js'
import { VERIFICATION } from './verification.js'

/** Finds the verification session named in a path. Throws NOT_FOUND if the team has no such session. */
export async function findVerificationOrThrow(
  ctx: Ctx,
  { acc_id, id }: { acc_id: string; id: string },
): Promise<RecordRow> {
  const account = orNotFound(await findAccount(ctx, acc_id))
  return orNotFound(await findRecord(ctx, VERIFICATION, id, account.id))
}
