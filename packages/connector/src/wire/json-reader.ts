/**
 * Reads JSON that comes from outside: clients' bodies, connectors' answers and pushes, and responses to forwarded
 * requests. Rejects text that JSON.parse would change, that a store might change, or that costs more than its length.
 */

import { findSourceFault } from './json-source.js'
import { findUnstorableCharacter } from './text.js'

interface JsonLimits {
  /** The maximum number of values. */
  readonly values: number
  /** The maximum nesting depth. The recursion limit is much higher. */
  readonly depth: number
  /** The maximum number of items in a list, and of fields in an object. */
  readonly items: number
  /** True to reject every number whose decimal value a double would change, even one with the digits of a double. */
  readonly isStrict?: boolean
}

/** The limits of a client's body. No body in the contract reaches them. */
export const clientLimits: JsonLimits = { values: 20_000, depth: 32, items: 1_000 }

type Path = readonly (string | number)[]

export type JsonFault =
  | { readonly kind: 'syntax' }
  | { readonly kind: 'values' | 'depth'; readonly max: number }
  | { readonly kind: 'items' | 'fields'; readonly path: Path; readonly max: number }
  /** `what` is the character that a store might not preserve. */
  | { readonly kind: 'text'; readonly path: Path; readonly what: string }
  | { readonly kind: 'name'; readonly what: string }
  | { readonly kind: 'repeated' | 'inexact'; readonly path: Path }

/** Thrown while a value is traversed. */
class Fault extends Error {
  readonly fault: JsonFault
  constructor(fault: JsonFault) {
    super(fault.kind)
    this.fault = fault
  }
}

/**
 * Checks JSON text before it is parsed, because parsing costs several times as much as this check. Text that passes may
 * still contain too many values, which the traversal counts.
 */
function checkSize(text: string, { values, depth: maxDepth }: JsonLimits): void {
  // Shorter text can't contain that many values.
  if (text.length <= 2 * values) return
  let commas = 0
  let opened = 0
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) inString = !inString
    else if (inString) at += code === 0x5c ? 1 : 0
    else if (code === 0x2c) commas += 1
    else if (code === 0x5b || code === 0x7b) {
      opened += 1
      depth += 1
      if (depth > maxDepth) throw new Fault({ kind: 'depth', max: maxDepth })
    } else if (code === 0x5d || code === 0x7d) depth -= 1
    if (commas >= values || opened > values) throw new Fault({ kind: 'values', max: values })
  }
}

/**
 * @param path the path of `value`; the same array is reused for the entire traversal
 * @param count the number of values that may follow
 */
function checkTree(value: unknown, path: (string | number)[], count: { left: number }, limits: JsonLimits): void {
  count.left -= 1
  if (count.left < 0) throw new Fault({ kind: 'values', max: limits.values })
  const what = typeof value === 'string' ? findUnstorableCharacter(value) : undefined
  if (what) throw new Fault({ kind: 'text', path: [...path], what })
  if (typeof value !== 'object' || value === null) return
  if (path.length >= limits.depth) throw new Fault({ kind: 'depth', max: limits.depth })
  const isList = Array.isArray(value)
  let items = isList ? value.length : 0
  const check = () => {
    if (items > limits.items) throw new Fault({ kind: isList ? 'items' : 'fields', path: [...path], max: limits.items })
  }
  check()
  for (const key in value) {
    if (!isList) {
      items += 1
      check()
      const inName = findUnstorableCharacter(key)
      if (inName) throw new Fault({ kind: 'name', what: inName })
    }
    path.push(isList ? Number(key) : key)
    checkTree((value as Record<string, unknown>)[key], path, count, limits)
    path.pop()
  }
}

/** Reads JSON. Every member of the value is its own, even one named `__proto__`. */
export function readJson(
  text: string,
  limits: JsonLimits,
): { readonly value: unknown; readonly fault?: never } | { readonly value?: never; readonly fault: JsonFault } {
  try {
    checkSize(text, limits)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return { fault: { kind: 'syntax' } }
    }
    checkTree(value, [], { left: limits.values }, limits)
    const fault = findSourceFault(text, limits.isStrict)
    return fault ? { fault } : { value }
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault }
    throw error
  }
}
