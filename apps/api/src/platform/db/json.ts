import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './store.js'

declare const held: unique symbol

/** The text of a JSON column, tagged with the type of its content. Only {@link writeJson} creates it. */
export type Json<T> = string & { readonly [held]: T }

/** Returns the value of a JSON column, or null if it is empty. */
export function readJson<T>(text: Json<T>): T
export function readJson<T>(text: Json<T> | null): T | null
export function readJson<T>(text: Json<T> | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}

/** Converts a value to the text of its JSON column. */
export const writeJson = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

/** Matches a table's rows by the code in their `error` column. */
export const isError = (engine: Engine, code: number): RawBuilder<boolean> =>
  engine === 'postgres'
    ? sql<boolean>`(cast(error as json) ->> 'code')::integer = ${code}`
    : sql<boolean>`json_extract(error, '$.code') = ${code}`
