/** The sandbox's account numbers and people, and the institutions of Plaid's emulator. */
import { product } from '../product.mjs'

export const { achNumbers, people } = product

/** A person whose debts can be paid, and who must answer no questions. */
export const payable = people.find(person => person.debts.length === 4 && person.asks.length === 0)

const institutionIds = product.plaidInstitutions.map(({ id }) => id)
/** Returns the institution at which a person signs in, as the emulator has it. */
export const pickInstitution = random => random.pick(institutionIds)
