export type Cell = string | number | null

/**
 * Formats one line of a CSV file (RFC 4180), including the line break. Adds an apostrophe before text that a
 * spreadsheet would evaluate as a formula. Numbers come from the service and are not changed. Pure.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  // Includes the full-width forms, which East Asian spreadsheets treat like the ASCII characters.
  const text = /^\s*[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
