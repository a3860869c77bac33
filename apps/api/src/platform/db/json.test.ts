import { describe, expect, it } from 'vitest'
import { describeFault } from '../log.js'
import { readJson, writeJson } from './json.js'
import { ColumnError, jsonColumn } from './json-column.js'
import type { Json } from './tables.js'

const caught = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('Nothing was thrown.')
}

describe('a JSON column', () => {
  it('returns the content that was written, and null for an empty column', () => {
    expect(readJson('payments.metadata', writeJson({ order: 7 }))).toEqual({ order: 7 })
    expect(readJson('payments.metadata', null)).toBeNull()
    const names = jsonColumn<string[]>('accounts.supports')
    expect(names.read(names.write(['payoff']))).toEqual(['payoff'])
  })

  it('rejects text that is not JSON with an error that names the table and column but omits the text', () => {
    const text = 'ada@example.com'
    for (const error of [
      caught(() => readJson('payments.metadata', text as Json<Record<string, unknown>>)),
      caught(() => jsonColumn('payments.metadata').read(text)),
    ]) {
      expect(error).toBeInstanceOf(ColumnError)
      expect(error.message).toBe('The payments.metadata column must hold JSON.')
      expect(describeFault(error).fault).toBe('ColumnError payments_metadata')
      expect(`${error.stack}${JSON.stringify(error)}${error.cause}`).not.toContain('ada@')
    }
  })
})
