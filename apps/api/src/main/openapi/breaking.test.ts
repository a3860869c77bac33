/**
 * Compares the contract with the approved baseline in `packages/contract/baseline.txt`. To approve an addition, run
 * this file with `UPDATE_CONTRACT=1`. A change that breaks clients requires a new dated version instead.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { formatFacts, parseFacts } from '../../testing/contract/contract-baseline.js'
import { breaksBetween, factsOf } from '../../testing/contract/contract-facts.js'
import { describeApi } from './document.js'

const file = fileURLToPath(new URL('../../../../../packages/contract/baseline.txt', import.meta.url))
const facts = factsOf(describeApi('https://api.example'))

describe('the contract', () => {
  it('breaks no client of the baseline, in which it is recorded', () => {
    expect(breaksBetween(parseFacts(readFileSync(file, 'utf8')), facts)).toEqual([])
    const text = formatFacts(facts)
    if (process.env['UPDATE_CONTRACT']) writeFileSync(file, text)
    expect(readFileSync(file, 'utf8'), 'Run this file with UPDATE_CONTRACT=1').toBe(text)
  })

  it('is recorded without losing a fact', () => {
    expect(parseFacts(formatFacts(facts))).toEqual(facts)
  })

  it('includes the facts that clients rely on', () => {
    for (const fact of [
      'POST /payments',
      'POST /payments request .amount: integer',
      'POST /payments request .amount required',
      'POST /payments request .fee.type = total',
      'GET /payments request query.status = failed',
      'POST /payments response : Payment',
      'Payment response .id: string',
      'Payment response .id required',
      'webhook payment.update',
    ])
      expect(facts).toContain(fact)
  })
})

describe('a contract change', () => {
  const before = new Set([
    'POST /a',
    'POST /a request : object',
    'POST /a request .b: string',
    'A response .c required',
  ])
  const after = (add: string[], remove: string[] = []) =>
    new Set([...[...before].filter(fact => !remove.includes(fact)), ...add])

  it.each<[string, string[], string[]]>([
    ['a removed operation', [], ['POST /a']],
    ['a removed field', [], ['POST /a request .b: string']],
    ['another type', ['POST /a request .b: integer'], ['POST /a request .b: string']],
    ['a field of a response that may be absent', [], ['A response .c required']],
    ['a field that requests must have', ['POST /a request .d: string', 'POST /a request .d required'], []],
  ])('breaks clients: %s', (_, add, remove) => {
    expect(breaksBetween(before, after(add, remove))).toHaveLength(1)
  })

  it.each([
    ['an optional field', ['POST /a request .d: string']],
    ['a new operation with required fields', ['POST /e', 'POST /e request : object', 'POST /e request .f required']],
    ['an optional object with a required field', ['POST /a request .g: object', 'POST /a request .g.h required']],
    ['a field of a response', ['A response .i: string', 'A response .i required']],
  ])('breaks no client: %s', (_, add) => {
    expect(breaksBetween(before, after(add))).toEqual([])
  })
})
