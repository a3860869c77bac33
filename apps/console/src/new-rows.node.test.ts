import { describe, expect, it } from 'vitest'
import type { List } from './api.js'
import { holdNewRows } from './new-rows.js'

const listOf = (ids: string, next: string | null = null): List<{ id: string }> => ({
  data: ids.split('').map(id => ({ id })),
  next,
  previous: null,
})
/** Returns the ids of the rows that are shown, the number of new ones, and the next page's cursor. */
function held(shown: List<{ id: string }>, latest: List<{ id: string }>) {
  const { shown: page, count, isCapped } = holdNewRows(shown, latest)
  return [page.data.map(({ id }) => id).join(''), `${count}${isCapped ? '+' : ''}`, page.next]
}

describe('new rows of a list', () => {
  it('wait, while the others stay as they are', () => {
    expect(held(listOf('dcba'), listOf('fedcba'))).toEqual(['dcba', '2', null])
    expect(held(listOf('dcba', 'z'), listOf('fedc', 'b'))).toEqual(['dcba', '2', 'z'])
  })

  it('are counted up to a page', () => {
    expect(held(listOf('dcba', 'z'), listOf('lkji', 'h'))).toEqual(['dcba', '4+', 'z'])
  })

  it('are shown at once in a list that was empty or became empty', () => {
    expect(held(listOf(''), listOf('ba'))).toEqual(['ba', '0', null])
    expect(held(listOf('a'), listOf('cb'))).toEqual(['cb', '0', null])
  })
})

describe('rows that are shown', () => {
  it('disappear if they no longer match the filters', () => {
    expect(held(listOf('dcba'), listOf('eca'))).toEqual(['ca', '1', null])
    expect(held(listOf('dcba'), listOf('cba'))).toEqual(['cba', '0', null])
  })

  it('have their current state, and those that match the filters now are among them', () => {
    expect(held(listOf('db'), listOf('edcba'))).toEqual(['dcba', '1', null])
    const latest = { ...listOf('a'), data: [{ id: 'a', status: 'settled' }] }
    expect(holdNewRows(listOf('a'), latest).shown.data).toEqual(latest.data)
  })
})
