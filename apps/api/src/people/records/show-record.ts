import { readJson } from '../../platform/db/json.js'
import type { Ctx, Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { auditReads } from '../../team/teams/reads.js'
import { type Body, type Holder, type Product, type RecordRow, recordJson } from '../holders/product.js'
import { readRecord } from './sealing.js'

/** Returns the fields that every record has. */
function commonFields(product: Product, row: RecordRow): { head: Body; tail: Record<string, unknown> } {
  return {
    head: { id: row.id, [`${product.holder}_id`]: row.holder_id, status: row.status },
    tail: {
      error: readJson('records.error', row.error),
      created_at: showTime(row.created_at),
      updated_at: showTime(row.updated_at),
    },
  }
}

/**
 * Returns a record in its GET format. For a sealed product, the result includes the sealed content, so the caller must
 * audit the read.
 */
export function showRecord(scope: Scope, product: Product, row: RecordRow, holder: Holder): Body {
  const clear = readRecord(scope, product, row)
  const body = product.show(
    {
      request: recordJson.request.read(clear.request),
      data: clear.data === null ? null : recordJson.data.read(clear.data),
    },
    holder,
    scope,
  )
  const { head, tail } = commonFields(product, row)
  return { ...head, ...body, ...tail }
}

/** Returns a record in its event format. */
export function showRecordEvent(scope: Scope, product: Product, row: RecordRow, holder: Holder): Body {
  if (!product.sealed) return showRecord(scope, product, row, holder)
  const { head, tail } = commonFields(product, row)
  return { ...head, ...tail }
}

/** Adds audit entries for the sealed records in a response. */
export async function auditShown(ctx: Ctx, shown: readonly { product: Product; row: RecordRow }[]): Promise<void> {
  const sealed = shown.filter(({ product, row }) => product.sealed && row.data !== null)
  const nounOf = ({ product }: { product: Product }) => product.name.split('.')[0]
  for (const noun of new Set(sealed.map(nounOf)))
    await auditReads(
      ctx,
      `${noun}.read`,
      sealed.filter(each => nounOf(each) === noun).map(({ row }) => row.id),
    )
}
