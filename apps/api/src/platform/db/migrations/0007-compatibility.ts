/**
 * Adds a flag for webhooks whose secret is short, and the sealed legal details of a team. Earlier versions show neither.
 */
export const compatibility = (): string[] => [
  'alter table webhooks add column weak_secret integer',
  'alter table teams add column details text',
]
