export type Cell = string | number | null

/**
 * One line of a CSV file (RFC 4180), its end included. Spreadsheets run a text that begins like a formula: an apostrophe
 * before it makes them show it. Numbers are ours and stay as they are. Pure.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  // The full-width forms too: spreadsheets of East Asian languages take them for the plain ones.
  const text = /^\s*[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
