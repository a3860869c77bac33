/** An index that a migration adds to a table that already has rows. */
export interface AddedIndex {
  table: string
  columns: string
  where?: string
  /**
   * An index from an earlier migration that is unique in the same columns, and has no condition. If set, this index is
   * unique too, and a later migration can drop the other one.
   */
  replaces?: string
}

/**
 * Returns the statement that adds an index. PostgreSQL can build the index while other connections write to the table.
 */
export const createIndex = (
  name: string,
  { table, columns, where, replaces }: AddedIndex,
  whileOthersWrite = false,
): string =>
  `create${replaces === undefined ? '' : ' unique'} index${whileOthersWrite ? ' concurrently' : ''} ${name} on ${table} (${columns})${where === undefined ? '' : ` where ${where}`}`
