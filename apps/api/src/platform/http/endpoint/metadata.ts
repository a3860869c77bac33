import { writeJson } from '../../db/json.js'
import type { Json, Metadata } from '../../db/tables.js'

/** Converts metadata to JSON text for the store. Returns null if there is none. */
export const metadataText = (metadata: Record<string, unknown> | null | undefined): Json<Metadata> | null =>
  metadata ? writeJson(metadata) : null
