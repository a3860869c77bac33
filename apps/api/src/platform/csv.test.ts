import { describe, expect, it } from 'vitest'
import { csvLine } from './csv.js'

describe('a CSV line', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['＝1＋1', "'＝1＋1"],
    ['=cmd|"/c calc"!A1', `"'=cmd|""/c calc""!A1"`],
  ])('neutralizes %j', (text, line) => expect(csvLine([text])).toBe(`${line}\r\n`))

  it('quotes separators, quotes and line breaks', () => {
    expect(csvLine(['a,b', 'c"d', 'e\r\nf', ' g', null, -5, 0])).toBe('"a,b","c""d","e\r\nf"," g",,-5,0\r\n')
  })
})
