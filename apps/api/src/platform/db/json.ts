import { type RawBuilder, sql } from 'kysely'
import { type ColumnName, parseColumn } from './json-column.js'
import type { Json, Tables } from './tables.js'
import type { Engine } from './types.js'

/** The type of a column's content if {@link Tables} declares it; otherwise, `never`. */
type ContentOf<Name extends string> = Name extends `${infer T extends keyof Tables & string}.${infer C}`
  ? C extends keyof Tables[T]
    ? NonNullable<Tables[T][C]> extends Json<infer Content>
      ? Content
      : never
    : never
  : never

/** Returns the content of a JSON column, or null if it is empty. Throws ColumnError. */
export function readJson<Name extends ColumnName>(column: Name, text: Json<ContentOf<Name>>): ContentOf<Name>
export function readJson<Name extends ColumnName>(
  column: Name,
  text: Json<ContentOf<Name>> | null,
): ContentOf<Name> | null
export function readJson(column: string, text: string | null): unknown {
  return text === null ? null : parseColumn(column, text)
}

/** Converts a value to the text of its JSON column. */
export const writeJson = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

/** Matches a table's rows by the code in their `error` column. */
export const isError = (engine: Engine, code: number): RawBuilder<boolean> =>
  engine === 'postgres'
    ? sql<boolean>`(cast(error as json) ->> 'code')::integer = ${code}`
    : sql<boolean>`json_extract(error, '$.code') = ${code}`
