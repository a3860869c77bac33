import { creditHealth } from '@causeway/contract/entity-attributes'

type Rating = 'excellent' | 'good' | 'fair' | 'needs_work'

/**
 * Returns a function that assigns a rating to a value. Each parameter is the inclusive limit for the rating of the same
 * name.
 */
const atMost = (excellent: number, good: number, fair: number) => (value: number) =>
  value <= excellent ? 'excellent' : value <= good ? 'good' : value <= fair ? 'fair' : 'needs_work'
const atLeast = (excellent: number, good: number, fair: number) => (value: number) =>
  value >= excellent ? 'excellent' : value >= good ? 'good' : value >= fair ? 'fair' : 'needs_work'

/** Ratings for numeric values: percentages, counts or years. */
const ratings: Readonly<Record<(typeof creditHealth)[number], (value: number) => Rating>> = {
  credit_health_credit_card_usage: atMost(9, 29, 49),
  credit_health_derogatory_marks: atMost(0, 0, 1),
  credit_health_hard_inquiries: atMost(0, 2, 4),
  credit_health_soft_inquiries: () => 'excellent',
  credit_health_total_accounts: atLeast(21, 11, 6),
  credit_health_credit_age: atLeast(9, 7, 5),
  credit_health_payment_history: atLeast(100, 99, 98),
  credit_health_open_accounts: atLeast(10, 5, 2),
  credit_health_entity_delinquent: atMost(0, 0, 0),
}

/**
 * Returns the attributes for versions that had only credit health. Adds the ratings and removes the attributes that
 * were introduced later.
 */
export function rateAttributes(attributes: Record<string, Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    creditHealth.flatMap(name => {
      const attribute = attributes[name]
      if (!attribute) return []
      const { value, metadata } = attribute
      const rating = typeof value === 'number' ? ratings[name](value) : null
      return [[name, { value, rating, ...(metadata === undefined ? {} : { metadata }) }]]
    }),
  )
}
