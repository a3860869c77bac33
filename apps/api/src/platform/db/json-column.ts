/** JSON columns whose content types belong to features. Pure. */
import type { Tables } from './tables.js'

/** The name of a column, such as `payments.metadata`. */
export type ColumnName = { [T in keyof Tables & string]: `${T}.${keyof Tables[T] & string}` }[keyof Tables & string]

/** Thrown if a column holds text that is not JSON. The error names the column and never contains the text. */
export class ColumnError extends Error {
  override readonly name = 'ColumnError'
  /** The column's name in the form that logs accept. */
  readonly code: string
  constructor(column: string) {
    super(`The ${column} column must hold JSON.`)
    this.code = column.replace('.', '_')
  }
}

/** Parses a column's text. Throws {@link ColumnError}. */
export function parseColumn(column: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's error is discarded, because it quotes the text.
    throw new ColumnError(column)
  }
}

/** Reads and writes the content of a JSON column. `read` throws {@link ColumnError}. */
export interface JsonColumn<T> {
  read(text: string): T
  write(value: T): string
}

/**
 * Declares a JSON column whose content type belongs to a feature. Each column is declared once, next to that type. If
 * the column is sealed, `read` takes the decrypted text. The content is not checked, because only `write` creates it.
 */
export const jsonColumn = <T>(column: ColumnName): JsonColumn<T> => ({
  read: text => parseColumn(column, text) as T,
  write: value => JSON.stringify(value),
})
