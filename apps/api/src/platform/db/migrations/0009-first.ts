import type { Engine } from '../types.js'
import { indexes } from './0009-indexes.js'
import { type Table, tablesOf } from './0009-tables.js'
import { triggers } from './0009-triggers.js'

/** Returns the statements that create the tables of a new store. */
export function createTables(engine: Engine): string[] {
  const tables = tablesOf(engine)
  const foreign = ({ references }: Table) =>
    references ? [`foreign key (${references[0]}) references ${references[1]}`] : []
  const statements = Object.entries(tables).map(([name, table]) => {
    const keys = engine === 'sqlite' ? [`primary key (${table.key})`, ...foreign(table)] : []
    const rows = engine === 'sqlite' && table.isClustered ? ' without rowid' : ''
    return `create table ${name} (${[table.columns, ...keys].join(', ')})${rows}`
  })
  // On PostgreSQL, a foreign key needs the primary key that it references, which is created among the indexes.
  const references =
    engine === 'postgres'
      ? Object.entries(tables).flatMap(([name, table]) => foreign(table).map(key => `alter table ${name} add ${key}`))
      : []
  return [...statements, ...indexes(engine, tables), ...references, ...triggers(engine)]
}
