import { describe, expect, it } from 'vitest'
import { words } from './words.js'

describe('the words', () => {
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'function'
        ? texts(value('1', '2', '3'))
        : Object.values((value ?? {}) as object).flatMap(texts)

  it('use one term for each thing', () => {
    const other = /c[ao]m(e|ing) back|going back|gave up|given up|called off|switch(ed|es)? (it )?o(n|ff)|never left/i
    expect(texts(words).length).toBeGreaterThan(700)
    expect(texts(words).filter(text => other.test(text))).toEqual([])
    expect(words.money['reversal_processing']).toBe(words.overview.places.back)
  })
})
