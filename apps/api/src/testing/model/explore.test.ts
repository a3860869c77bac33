import { describe, expect, it } from 'vitest'
import { explore, type Model, NO_END, showViolation } from './explore.js'

/** A counter of two readers that each read the value and then write it, increased by one. */
interface Counter {
  [field: string]: number | null
  value: number
  first: number | null
  second: number | null
  writes: number
}

const readers = ['first', 'second'] as const
const counter: Model<Counter> = {
  initial: [{ value: 0, first: null, second: null, writes: 0 }],
  steps: state =>
    readers.flatMap(reader => {
      const read = state[reader]
      if (state.writes >= 2) return []
      return read === null
        ? [{ name: `${reader} reads`, to: { ...state, [reader]: state.value } }]
        : [{ name: `${reader} writes`, to: { ...state, [reader]: null, value: read + 1, writes: state.writes + 1 } }]
    }),
  violations: ({ value, writes }) => (value === writes ? [] : ['a write was lost']),
  isEnd: ({ writes }) => writes === 2,
}

describe('an exploration', () => {
  it('prints the shortest trace to a violation, with the values that each step changes', () => {
    const { violation } = explore(counter)
    expect(showViolation(violation!)).toBe(
      [
        'Violation after 4 steps: a write was lost',
        '  0. start          value: 0, writes: 0',
        '  1. first reads    first: none → 0',
        '  2. second reads   second: none → 0',
        '  3. first writes   value: 0 → 1, first: 0 → none, writes: 0 → 1',
        '  4. second writes  second: 0 → none, writes: 1 → 2',
      ].join('\n'),
    )
  })

  it('counts each state once, and finds none that violates an invariant in a correct model', () => {
    const alone: Model<Counter> = {
      ...counter,
      steps: state => counter.steps(state).filter(({ name }) => name.startsWith('first')),
    }
    expect(explore(alone)).toEqual({ states: 5, steps: 4, ends: 1, violation: null })
  })

  it('finds a state from which only a disturbance leads to an end', () => {
    const lucky: Model<Counter> = {
      ...counter,
      steps: state => counter.steps(state).map(step => ({ ...step, disturbs: state.value === 1 })),
      violations: () => [],
      isEnd: ({ value }) => value === 2,
    }
    const { violation } = explore(lucky)
    expect(violation?.sentence).toBe(NO_END)
    expect(violation?.trace.map(({ name }) => name)).toEqual(['start'])
  })

  it('ends with an error if the model has more states than the limit', () => {
    expect(() => explore(counter, 3)).toThrow('more than 3 states')
  })
})
