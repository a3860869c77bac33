import { describe, expect, it } from 'vitest'
import { findAnomalies } from './check.mjs'

const append = (key, value) => ({ kind: 'append', key, value })
const read = (key, ...values) => ({ kind: 'read', key, values })
/** Returns a history of committed transactions, which are named T1, T2, … */
const committed = (...transactions) =>
  transactions.map((ops, at) => ({ id: `T${at + 1}`, process: at, ops, outcome: 'committed' }))
const kindsOf = history => findAnomalies(history).map(({ kind }) => kind)

describe('a history that is serializable', () => {
  it.each([
    ['of appends and reads in order', committed([append('x', 1)], [append('x', 2)], [read('x', 1, 2)], [read('x', 1)])],
    ['that reads its own appends', committed([append('x', 1), read('x', 1), append('x', 2)], [read('x', 1, 2)])],
    [
      'in which each transaction reads and appends',
      committed([read('x'), append('x', 1)], [read('x', 1), append('x', 2)], [read('x', 1, 2), append('y', 3)]),
    ],
    [
      'in which an append of unknown outcome was read',
      [
        { id: 'T1', process: 0, ops: [append('x', 1)], outcome: 'unknown' },
        ...committed([append('x', 2)], [read('x', 1, 2)]).map(each => ({ ...each, id: `${each.id}a` })),
      ],
    ],
    [
      'in which an undone append was not read',
      [
        { id: 'T0', process: 0, ops: [append('x', 9)], outcome: 'undone' },
        ...committed([append('x', 1)], [read('x', 1)]),
      ],
    ],
    [
      'in which a read of unknown values says nothing',
      committed([append('x', 1)], [{ kind: 'read', key: 'x', values: null }], [read('x', 1)]),
    ],
  ])('has no anomaly: one %s', (_what, history) => {
    expect(findAnomalies(history)).toEqual([])
  })
})

describe('a known bad history', () => {
  it('has G0 if two transactions wrote over each other', () => {
    const history = committed(
      [append('x', 1), append('y', 1)],
      [append('x', 2), append('y', 2)],
      [read('x', 1, 2), read('y', 2, 1)],
    )
    expect(kindsOf(history)).toContain('G0')
  })

  it('has G1a if an undone append was read', () => {
    const undone = { id: 'T0', process: 0, ops: [append('x', 1)], outcome: 'undone' }
    expect(kindsOf([undone, ...committed([read('x', 1)])])).toEqual(['G1a'])
  })

  it('has G1b if a read ends within a transaction', () => {
    expect(kindsOf(committed([append('x', 1), append('x', 2)], [read('x', 1)], [read('x', 1, 2)]))).toContain('G1b')
  })

  it('has G1c if two transactions read the append of each other', () => {
    const history = committed([append('x', 1), read('y', 1)], [append('y', 1), read('x', 1)])
    expect(findAnomalies(history)).toEqual([
      { kind: 'G1c', sentence: 'T1 -wr-> T2 -wr-> T1', transactions: ['T1', 'T2'] },
    ])
  })

  it('has G-single if a transaction read one list before, and another one after, a transaction', () => {
    const history = committed([append('x', 1), append('y', 1)], [read('x'), read('y', 1)], [read('x', 1)])
    expect(findAnomalies(history).map(({ kind, sentence }) => [kind, sentence])).toEqual([
      ['G-single', 'T2 -rw-> T1 -wr-> T2'],
    ])
  })

  it('has G2 if two transactions each missed the append of the other', () => {
    const history = committed([read('x'), append('y', 1)], [read('y'), append('x', 1)], [read('x', 1), read('y', 1)])
    expect(findAnomalies(history).map(({ kind, sentence }) => [kind, sentence])).toEqual([
      ['G2', 'T1 -rw-> T2 -rw-> T1'],
    ])
  })

  it('has G2 although no read contains the appends', () => {
    expect(kindsOf(committed([read('x'), append('y', 1)], [read('y'), append('x', 1)]))).toEqual(['G2'])
  })

  it('has a lost update if two transactions read the same list and appended to it', () => {
    const history = committed([read('x'), append('x', 1)], [read('x'), append('x', 2)], [read('x', 1, 2)])
    expect(kindsOf(history)).toContain('lost update')
    const dropped = committed([read('x'), append('x', 1)], [read('x'), append('x', 2)], [read('x', 2)])
    expect(kindsOf(dropped)).toContain('lost update')
  })

  it('has an incompatible order if an acknowledged append is missing from a later list', () => {
    const history = committed([append('x', 1)], [read('x', 1)], [append('x', 2)], [read('x', 2)])
    expect(kindsOf(history)).toContain('incompatible order')
  })

  it.each([
    ['duplicate', committed([append('x', 1)], [read('x', 1, 1)])],
    ['malformed', committed([read('x', 7)])],
    ['malformed', committed([append('x', 1)], [append('x', 1)])],
    ['internal', committed([append('x', 1), read('x')])],
  ])('is %s if its lists contradict its appends', (kind, history) => {
    expect(kindsOf(history)).toContain(kind)
  })

  it('is found among thousands of transactions without one', () => {
    const values = Array.from({ length: 3_000 }, (_, at) => at)
    const good = values.map(value => [append('z', value)])
    const bad = [
      [read('a'), append('b', 1)],
      [read('b'), append('a', 1)],
    ]
    expect(kindsOf(committed(...good, ...bad, [read('z', ...values)]))).toEqual(['G2'])
  })
})
