import { createHash } from 'node:crypto'

/** Returns 64 hex digits that depend only on the parts. */
export function digest(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

/** Returns a whole number from 0 to `n - 1` that depends only on the parts. */
export function pick(n: number, ...parts: readonly (string | number)[]): number {
  return Number.parseInt(digest(...parts).slice(0, 12), 16) % n
}
