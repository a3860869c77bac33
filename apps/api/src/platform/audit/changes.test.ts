import { describe, expect, it } from 'vitest'
import { changesBetween } from './changes.js'

describe('the changes in the audit log', () => {
  it('name the path of each value that differs, with the value before and after', () => {
    const before = { limits: { payment_amount_max: null, payments_per_month: 5 }, origins: ['a'], kept: true }
    const after = { limits: { payment_amount_max: 100, payments_per_month: 5 }, origins: ['a', 'b'], kept: true }
    expect(changesBetween(before, after)).toEqual([
      { name: 'limits.payment_amount_max', before: null, after: '100' },
      { name: 'origins', before: 'a', after: 'a, b' },
    ])
  })

  it('include values that are removed, also those in objects', () => {
    expect(changesBetween({ brand: { name: 'Acme', logo: 'a' }, note: 'x' }, { brand: { name: 'Acme' } })).toEqual([
      { name: 'brand.logo', before: 'a', after: null },
      { name: 'note', before: 'x', after: null },
    ])
    expect(changesBetween({ brand: { name: 'Acme' } }, { brand: null })).toEqual([
      { name: 'brand.name', before: 'Acme', after: null },
    ])
    expect(changesBetween({ brand: null }, { brand: { name: 'Acme' } })).toEqual([
      { name: 'brand.name', before: null, after: 'Acme' },
    ])
  })

  it('have null for a value that is absent or empty', () => {
    expect(changesBetween({}, { scopes: ['read'], note: null })).toEqual([
      { name: 'scopes', before: null, after: 'read' },
    ])
    expect(changesBetween({ list: ['a'] }, { list: [] })).toEqual([{ name: 'list', before: 'a', after: null }])
  })

  it('are cut to a limited length', () => {
    const [change] = changesBetween({}, { text: 'x'.repeat(2_000) })
    expect(change?.after).toHaveLength(1_000)
  })
})
