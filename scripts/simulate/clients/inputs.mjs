/** The sandbox's account numbers and people, and the institutions of Plaid's emulator. */
import { product } from '../product.mjs'

export const { achNumbers, people } = product

/** A card that a person types if none was found, and its issuer. */
export const { number: typedNumber, mch_id: typedIssuer } = product.describedExample
/** The standard test person, and the number of the card that the sandbox describes for this person. */
export const describedPhone = people.find(({ reference }) => reference === 'sbx_p13').phone
export const foundNumber = product.debts.find(({ reference }) => reference === 'sbd_1301').number

/** A person whose debts can be paid, and who must answer no questions. */
export const payable = people.find(person => person.debts.length === 4 && person.asks.length === 0)

const institutionIds = product.plaidInstitutions.map(({ id }) => id)
/** Returns the institution at which a person signs in, as the emulator has it. */
export const pickInstitution = random => random.pick(institutionIds)
