/** For tests alone: a page of outcomes that a test writes, and that people review row by row. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { engine } from './service.js'

const reviewers = 'author, reader'
const isReviewed = (marks: string) => marks.trim() === reviewers
const rowOf = (line: string) => /^\| (`\w+ [^`]+`) \|.*\| ([^|]*) \|$/.exec(line)

/** @param name of the page in docs */
export function reviewedPage(name: string) {
  const page = fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url))
  const before = existsSync(page) ? readFileSync(page, 'utf8').split('\n') : []
  const known = new Map(
    before.flatMap(line => (rowOf(line) ? [[line.replace(/[^|]* \|$/, ''), rowOf(line)![2]!]] : [])),
  )
  return {
    /** A table of rows without their last cell, which tells who reviewed a row that is as it was. */
    table(title: string, titles: readonly string[], rows: readonly string[]): string {
      const all = [...titles, 'Reviewed']
      const marked = rows.map(row => `${row} ${known.get(row)?.trim() ?? ''} |`)
      return `## ${title}\n\n| ${all.join(' | ')} |\n|${all.map(() => ' --- |').join('')}\n${marked.join('\n')}\n`
    },
    /** Writes the page where UPDATE_ACCESS is set. Fails where a row differs from the page, or no reader has reviewed it. */
    check(text: string): void {
      if (process.env['UPDATE_ACCESS'] && engine === 'sqlite') writeFileSync(page, text)
      const now = text.split('\n')
      expect(now.filter(line => rowOf(line) && !before.includes(line))).toEqual([])
      expect(before.filter(line => rowOf(line) && !now.includes(line))).toEqual([])
      expect(now.filter(line => rowOf(line) && !isReviewed(rowOf(line)![2]!))).toEqual([])
    },
  }
}
