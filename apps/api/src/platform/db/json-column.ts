/** The contents of JSON columns whose types belong to features. Pure. */
import type { Tables } from './tables.js'

/** The name of a column, such as `payments.metadata`. */
export type ColumnName = { [T in keyof Tables & string]: `${T}.${keyof Tables[T] & string}` }[keyof Tables & string]

/** A column holds text that is not JSON. The error names the column and never contains the text. */
export class ColumnError extends Error {
  override readonly name = 'ColumnError'
  /** The column's name in the form that logs accept. */
  readonly code: string
  constructor(column: string) {
    super(`The column ${column} must hold JSON.`)
    this.code = column.replace('.', '_')
  }
}

/** Parses a column's text. Throws {@link ColumnError}. */
export function parseColumn(column: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's error quotes the text.
    throw new ColumnError(column)
  }
}

/** Reads and writes one kind of content of a JSON column. `read` throws {@link ColumnError}. */
export interface JsonColumn<T> {
  read(text: string): T
  write(value: T): string
}

/**
 * Declares the content of a JSON column whose type belongs to a feature. It is declared once, next to that type. The
 * text may come from a sealed column after it is opened. The content is not checked, because only `write` creates it.
 */
export const jsonColumn = <T>(column: ColumnName): JsonColumn<T> => ({
  read: text => parseColumn(column, text) as T,
  write: value => JSON.stringify(value),
})
