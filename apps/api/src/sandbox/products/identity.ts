import type { IdentityDetails } from '@causeway/connector/ports/identity'
import type { Candidate } from '@causeway/contract/products/identity'
import { digest, pick } from '../digest.js'
import type { Person } from '../tables/people.js'
import { candidates } from '../tables/registers.js'
import type { SandboxProductWith } from './answer.js'

/** Returns everyone registered with the phone number or, if `matched` is true, only the matched person. */
function identitiesOf(person: Person, details: IdentityDetails, matched: boolean): Candidate[] {
  const listed = candidates[person.phone]
  const ssn4 = details.ssn_4 ?? details.ssn?.slice(-4) ?? null
  if (listed) return matched ? listed.filter(one => one.ssn?.endsWith(ssn4 ?? '')).slice(0, 1) : [...listed]
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
      ssn: details.ssn ?? unissuedSsn(person, ssn4),
    },
  ]
}

/** Returns a Social Security number that is never issued, because it begins with 9. */
function unissuedSsn({ reference }: Person, last: string | null): string {
  const digits = digest('ssn', reference).replace(/\D/g, '').padEnd(8, '7')
  return `9${digits.slice(0, 4)}${last ?? digits.slice(4, 8)}`
}

export const identity: SandboxProductWith<'identities'> = {
  answers: world => ({
    async identities({ person, details }) {
      const match = await world.person(person, details.phone)
      return { status: 'completed', identities: match ? identitiesOf(match, details, person !== null) : [] }
    },
  }),
}
