/** Metadata as the store keeps it: JSON text, null where none was given. */
export const metadataText = (metadata: Record<string, unknown> | null | undefined): string | null =>
  metadata ? JSON.stringify(metadata) : null
