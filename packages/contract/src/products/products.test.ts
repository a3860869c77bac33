import { describe, expect, it } from 'vitest'
import { subscriptionNames, teamProducts } from '../fields/names.js'
import { prefixes } from '../ids.js'
import { accountProducts } from './of-accounts.js'
import { entityProducts } from './of-entities.js'
import { type Declaration, nounOf } from './product.js'
import { allProducts } from './registry.js'

const once = (names: readonly string[]) => expect(names).toEqual([...new Set(names)])

describe('declarations of products', () => {
  it('name each event, resource, kind of record and operation once', () => {
    once(allProducts.flatMap(({ events }) => events))
    once(allProducts.flatMap(({ resource, resources }) => [resource[0], ...Object.keys(resources ?? {})]))
    once(allProducts.flatMap(each => Object.keys(each.prefixes)))
    once(Object.values(prefixes))
    once(allProducts.flatMap(({ records }) => (records ? [records.ids[0]] : [])))
  })

  it.each([
    ['account', accountProducts],
    ['entity', entityProducts],
  ] as const)('of an %s share no name, path or field', (holder, products: readonly Declaration[]) => {
    for (const product of products) expect(product.holder).toBe(holder)
    once(products.flatMap(({ name, variants }) => variants ?? [name]))
    once(products.map(({ path }) => path))
    once(
      products.flatMap(({ pointers, expanded }) => [...Object.keys({ ...pointers }), ...Object.keys({ ...expanded })]),
    )
  })

  it('have exactly the names used in the team and subscription contracts', () => {
    // Payments have no records, so no declaration is named `payment`. One account product and one entity product have
    // the same name.
    const names = new Set(['payment', ...allProducts.flatMap(({ name, variants }) => variants ?? [name])])
    expect([...teamProducts].sort()).toEqual([...names].sort())
    expect(subscriptionNames).toEqual(expect.arrayContaining(allProducts.flatMap(({ enrollable }) => enrollable ?? [])))
  })

  it('use one noun for all events of a product', () => {
    for (const product of allProducts)
      for (const event of product.events) expect(event.split('.')[0]).toBe(nounOf(product))
  })
})
