import { type Json, writeJson } from '../db/json.js'
import type { Metadata } from '../db/tables.js'

/** Metadata as the store keeps it: JSON text, null if absent. */
export const metadataText = (metadata: Record<string, unknown> | null | undefined): Json<Metadata> | null =>
  metadata ? writeJson(metadata) : null
