/** Maps each column that has few distinct values to a low estimate of their number. */
const coarse: Readonly<Record<string, number>> = {
  team_id: 10,
  type: 3,
  status: 3,
  kind: 3,
  liability_type: 5,
  ownership: 3,
  source_settlement_date: 200,
}

/**
 * Returns the statements that store SQLite's statistics for the given indexes. Each index is listed with its table,
 * columns and number of rows.
 */
export function rated(
  indexes: readonly (readonly [index: string, table: string, columns: string, size?: number])[],
): string[] {
  const rows = indexes.map(([index, table, columns, size = 1_000_000]) => {
    let left = size
    const alike = columns.split(', ').map(column => {
      left = Math.ceil(coarse[column] ? left / coarse[column] : Math.min(left, left > 10 ? 10 : 1))
      return left
    })
    // Each primary key value matches a single row.
    if (index === table || index.startsWith('sqlite')) alike[alike.length - 1] = 1
    return `('${table}', '${index}', '${size} ${alike.join(' ')}')`
  })
  // The first statement creates the statistics table, and the last makes this connection reload it.
  return [
    'analyze sqlite_schema',
    `insert into sqlite_stat1 (tbl, idx, stat) values ${rows.join(', ')}`,
    'analyze sqlite_schema',
  ]
}
