import type { Candidate, Score, Vehicle } from '@causeway/contract/resources/entity-products'
import type { EntityData } from '../network/entity-data.js'
import type { Details } from '../network/identity/port.js'
import { lowestId } from '../platform/crypto/random.js'
import { attributesOf } from './attributes.js'
import { digest, pick } from './digest.js'
import { delays } from './inputs.js'
import { openedBy, readTradeline } from './openings.js'
import { type Person, people } from './people.js'
import { candidates, factors, vehicles } from './registers.js'
import { snapshotTime } from './updates.js'

const find = (reference: string | null) => people.find(one => one.reference === reference)

/** The sandbox's bureaus and registers. The same person and time always give the same answer. */
export function createEntityData(sleep: (ms: number) => Promise<void>): EntityData {
  const wait = async (person: Person | undefined) => {
    if (person?.slow) await sleep(delays.slowInstitution)
  }
  return {
    async creditScore({ person: reference, monthly, now, request_id }) {
      const person = find(reference)
      await wait(person)
      if (!person || person.fails) return { status: 'failed', code: 23001 }
      // A score that is not simulated takes a while. Ids tell when they were made.
      const isDue = request_id <= lowestId('credit_score', now - delays.creditScore + 1)
      return monthly || isDue
        ? { status: 'completed', scores: scoresOf(person, now) }
        : { status: 'pending', again_in: delays.creditScore }
    },

    async identities({ person, details }) {
      const known = find(person) ?? people.find(one => one.phone === details.phone)
      await wait(known)
      return { status: 'completed', identities: known ? identitiesOf(known, details, person !== null) : [] }
    },

    async entityAttributes({ person: reference, names, soft_inquiries, now }) {
      const person = find(reference)
      await wait(person)
      if (!person) return { status: 'failed', code: 24001 }
      return { status: 'completed', attributes: attributesOf(person, names, soft_inquiries, now) }
    },

    async readTradelines({ tradelines }) {
      return { status: 'completed', liabilities: tradelines.map(readTradeline) }
    },

    async opened({ behaviours }) {
      return behaviours.flatMap(openedBy)
    },

    async vehicles({ person: reference }) {
      const person = find(reference)
      await wait(person)
      const owned: readonly Vehicle[] = vehicles[person?.phone ?? ''] ?? []
      return { status: 'completed', vehicles: [...owned] }
    },
  }
}

/** Between 640 and 799, a few points up or down each month. */
function scoresOf({ reference }: Person, now: number): Score[] {
  const at = snapshotTime(now)
  const score = 640 + pick(150, 'score', reference) + pick(10, 'month', reference, at)
  const first = pick(factors.length, 'factor', reference)
  return (['equifax', 'transunion'] as const).map((source, index) => ({
    score: score - index * 3,
    source,
    model: 'vantage_4',
    factors: [factors[first]!, factors[(first + 1) % factors.length]!],
    created_at: new Date(at).toISOString(),
  }))
}

/** Everybody whom the person's phone fits; where it is known which of them it is, that one alone. */
function identitiesOf(person: Person, details: Details, matched: boolean): Candidate[] {
  const listed = candidates[person.phone]
  const last = details.ssn_4 ?? details.ssn?.slice(-4) ?? null
  if (listed) return matched ? listed.filter(one => one.ssn?.endsWith(last ?? '')).slice(0, 1) : [...listed]
  const upper = (text: string | null) => text?.toUpperCase() ?? null
  const { address } = details
  return [
    {
      first_name: upper(details.first_name),
      last_name: upper(details.last_name),
      phone: person.phone,
      dob: details.dob ?? `19${60 + pick(40, 'year', person.reference)}-06-15`,
      address: {
        address: upper(address.line1) ?? '100 CONGRESS AVE',
        city: upper(address.city) ?? 'AUSTIN',
        state: upper(address.state) ?? 'TX',
        postal_code: address.zip ?? '78701',
      },
      ssn: details.ssn ?? madeUp(person, last),
    },
  ]
}

/** A number that is given to nobody: those that begin with 9 are no social security numbers. */
function madeUp({ reference }: Person, last: string | null): string {
  const digits = digest('ssn', reference).replace(/\D/g, '').padEnd(8, '7')
  return `9${digits.slice(0, 4)}${last ?? digits.slice(4, 8)}`
}
