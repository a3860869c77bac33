import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'

/** Metadata of a body, as JSON text: null when absent. Source: specification 2.1. */
export function readMetadata(body: Record<string, unknown>, tooLarge: ErrorSubType): string | null {
  const value = body['metadata']
  if (value === undefined || value === null) return null
  if (typeof value !== 'object' || Array.isArray(value))
    throw new ServiceError('INVALID_REQUEST', 'metadata must be a JSON object.')
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) >= 1_024)
    throw new ServiceError(tooLarge, 'metadata must be smaller than 1,024 bytes of JSON.')
  return text
}
