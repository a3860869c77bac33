import { type KyselyPlugin, type RawBuilder, sql } from 'kysely'
import type { Db, Store } from '../../platform/db/store.js'
import { engine } from '../service.js'

/** A statement as the database receives it. */
export interface Statement {
  text: string
  parameters: readonly unknown[]
}

/** Returns a statement's query plan as text. */
export async function plan(db: Db, statement: RawBuilder<unknown>): Promise<string> {
  const explain = sql.raw(engine === 'postgres' ? 'explain (costs off)' : 'explain query plan')
  const { rows } = await sql<Record<string, string>>`${explain} ${statement}`.execute(db)
  return rows.map(row => row['detail'] ?? row['QUERY PLAN']).join('\n')
}

/** Returns a store that records each statement that it runs in `statements`. */
export function recorded<S extends Pick<Store, 'reader' | 'write'>>(store: S, statements: Statement[]): S {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      const { sql: text, parameters } = store.reader.getExecutor().compileQuery(node, {} as never)
      statements.push({ text, parameters })
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    ...store,
    reader: store.reader.withPlugin(plugin),
    write: <T>(work: (tx: Db) => Promise<T>) => store.write(tx => work(tx.withPlugin(plugin))),
  }
}

const literalOf = (value: unknown): RawBuilder<unknown> =>
  Array.isArray(value) ? sql`array[${sql.join(value.map(literalOf))}]` : sql.lit(value)

/** Returns a recorded statement with its parameters as literals. */
export function literal({ text, parameters }: Statement): RawBuilder<unknown> {
  const parts = text.split(/\$\d+|\?/)
  return sql.join(
    parts.flatMap((part, at) => [sql.raw(part), ...(at < parameters.length ? [literalOf(parameters[at])] : [])]),
    sql.raw(''),
  )
}
