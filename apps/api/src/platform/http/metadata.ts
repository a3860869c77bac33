import { type Json, writeJson } from '../db/json.js'
import type { Metadata } from '../db/tables.js'

/** Returns metadata as JSON text for the store; null if absent. */
export const metadataText = (metadata: Record<string, unknown> | null | undefined): Json<Metadata> | null =>
  metadata ? writeJson(metadata) : null
