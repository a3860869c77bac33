import { type Scope, sealer } from '../../platform/scope.js'
import type { Product, RecordRow } from '../holders/product.js'

type Field = 'request' | 'data'

export function sealText(scope: Scope, id: string, field: Field, text: string): string {
  return sealer(scope).seal({ id, field }, text)
}

/** Returns a record with its request and data in plain text, whether or not they were sealed. */
export function readRecord(scope: Scope, product: Product, row: RecordRow): RecordRow {
  if (!product.sealed) return row
  // A scrubbed value is an empty object and is no longer sealed.
  const open = (field: Field, text: string) =>
    text.startsWith('{') ? text : sealer(scope).open({ id: row.id, field }, text)
  return {
    ...row,
    request: open('request', row.request),
    data: row.data === null ? null : open('data', row.data),
  }
}
