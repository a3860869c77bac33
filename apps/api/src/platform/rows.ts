import { ServiceError } from '@causeway/contract/errors'

/** Returns a row that a request names. Throws NOT_FOUND if there is none. */
export function orNotFound<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ServiceError('NOT_FOUND')
  return row
}
