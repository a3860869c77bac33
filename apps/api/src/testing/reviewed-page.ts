/** Test helper for documentation pages that list outcomes. A test writes the page, and people review it row by row. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { engine } from './service.js'

const reviewers = 'author, reader'
const isReviewed = (marks: string) => marks.trim() === reviewers
const rowOf = (line: string) => /^\| (`\w+ [^`]+`) \|.*\| ([^|]*) \|$/.exec(line)

/** @param name the name of the page in the docs folder */
export function reviewedPage(name: string) {
  const page = fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url))
  const before = existsSync(page) ? readFileSync(page, 'utf8').split('\n') : []
  const marksByRow = new Map(
    before.flatMap(line => (rowOf(line) ? [[line.replace(/[^|]* \|$/, ''), rowOf(line)![2]!]] : [])),
  )
  return {
    /** Formats a table. The last cell in each row names the reviewer and is kept if the row is unchanged. */
    table(title: string, titles: readonly string[], rows: readonly string[]): string {
      const all = [...titles, 'Reviewed']
      const marked = rows.map(row => `${row} ${marksByRow.get(row)?.trim() ?? ''} |`)
      return `## ${title}\n\n| ${all.join(' | ')} |\n|${all.map(() => ' --- |').join('')}\n${marked.join('\n')}\n`
    },
    /**
     * Writes the page if UPDATE_ACCESS is set. Fails if a row differs from the previous page or has not been reviewed.
     */
    check(text: string): void {
      if (process.env['UPDATE_ACCESS'] && engine === 'sqlite') writeFileSync(page, text)
      const now = text.split('\n')
      const isCell = (line: string) => line.startsWith('|')
      expect(now.filter(line => isCell(line) && !before.includes(line))).toEqual([])
      expect(before.filter(line => isCell(line) && !now.includes(line))).toEqual([])
      expect(now.filter(line => rowOf(line) && !isReviewed(rowOf(line)![2]!))).toEqual([])
    },
  }
}
