import { createHash } from 'node:crypto'

/** 64 hex digits that depend on the parts alone. */
export function digest(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

/** A whole number from 0 to below `n` that depends on the parts alone. */
export function pick(n: number, ...parts: readonly (string | number)[]): number {
  return Number.parseInt(digest(...parts).slice(0, 12), 16) % n
}
