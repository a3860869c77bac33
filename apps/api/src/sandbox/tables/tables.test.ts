import { expect, test } from 'vitest'
import { debts } from './debts.js'
import { achNumbers } from './inputs.js'
import { merchants, products } from './institutions.js'
import { people } from './people.js'

const unique = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length)

test('people, debts, merchants and account numbers are unique', () => {
  unique(people.map(person => person.phone))
  unique(people.map(person => person.reference))
  unique(debts.map(debt => debt.reference))
  unique(debts.flatMap(debt => debt.number ?? []))
  unique(merchants.map(merchant => merchant.id))
  unique(achNumbers.map(row => row.number))
})

test('the documented range has thirteen people plus the monitored one, and there are five earlier numbers', () => {
  const phones = people.map(person => person.phone)
  const range = Array.from({ length: 13 }, (_, index) => `+151255501${String(index).padStart(2, '0')}`)
  expect(phones).toEqual([
    ...range,
    '+15125550120',
    '+15121231111',
    '+15121231112',
    '+15121231113',
    '+15121231122',
    '+16505551115',
  ])
})

test('references contain no part of a phone or account number', () => {
  for (const person of people) expect(person.reference).not.toContain(person.phone.slice(-4))
  for (const debt of debts) if (debt.number) expect(debt.reference).not.toContain(debt.number.slice(-4))
})

test('every debt has a holder, and everything that a person holds is a debt', () => {
  const held = new Set(people.flatMap(person => person.debts))
  expect([...held].sort()).toEqual(debts.map(debt => debt.reference).sort())
})

test('every merchant has a product, and every debt has a merchant', () => {
  expect(Object.keys(products).sort()).toEqual(merchants.map(merchant => merchant.id).sort())
  for (const debt of debts) expect(products).toHaveProperty(debt.mch_id)
})

test("no debt exceeds its product's limit", () => {
  for (const debt of debts) expect(debt.balance).toBeLessThanOrEqual(products[debt.mch_id]!.size)
})
