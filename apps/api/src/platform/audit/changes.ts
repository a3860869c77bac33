/** The values that an audited action changed. Pure. */
import { jsonColumn } from '../db/json-column.js'

/** A value that an action changed. Null means no value; both are null if the log must not contain the values. */
export interface AuditChange {
  /** The path of the value, such as `brand.name`. */
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

export const changesJson = jsonColumn<readonly AuditChange[]>('audit.changes')

/** The maximum length of a value in the log. A longer value is cut. */
const MAX_VALUE_LENGTH = 1_000

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textOf(value: unknown): string | null {
  const text = Array.isArray(value) ? value.join(', ') : value === null || value === undefined ? '' : String(value)
  if (text === '') return null
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text
}

/** Returns the fields that differ, including those in objects and those that `after` lacks, in the order of `after`. */
export function changesBetween(before: Fields, after: Fields, prefix = ''): AuditChange[] {
  return Object.keys({ ...after, ...before }).flatMap(field => {
    const name = `${prefix}${field}`
    const [previous, value] = [before[field], after[field]]
    if (isFields(value) || isFields(previous))
      return changesBetween(isFields(previous) ? previous : {}, isFields(value) ? value : {}, `${name}.`)
    return JSON.stringify(previous ?? null) === JSON.stringify(value ?? null)
      ? []
      : [{ name, before: textOf(previous), after: textOf(value) }]
  })
}

/** Returns the names of fields whose values the log must not contain, such as secrets. */
export const hiddenChanges = (names: readonly string[]): AuditChange[] =>
  names.map(name => ({ name, before: null, after: null }))
