import { HOUR_MS } from '@causeway/contract/time'
import type { EmulatedPhone } from './phones.js'

interface LookupInput {
  phone: string
  query: URLSearchParams
  known: EmulatedPhone
  now: number
  url: string
}

/** The members of an identity match, by parameter, and how much each counts. */
const matchMembers: Readonly<Record<string, { member: string; weight: number }>> = {
  FirstName: { member: 'first_name_match', weight: 20 },
  LastName: { member: 'last_name_match', weight: 30 },
  AddressLine1: { member: 'address_lines_match', weight: 10 },
  City: { member: 'city_match', weight: 5 },
  State: { member: 'state_match', weight: 5 },
  PostalCode: { member: 'postal_code_match', weight: 10 },
  AddressCountryCode: { member: 'address_country_match', weight: 0 },
  NationalId: { member: 'national_id_match', weight: 20 },
  DateOfBirth: { member: 'date_of_birth_match', weight: 20 },
}

/** Compares each given parameter with the owner's. The score is the weighted part that matches. */
function matchIdentity({ query, known: { owner } }: LookupInput) {
  const levels: Record<string, string | null> = {}
  let points = 0
  let possible = 0
  for (const [parameter, { member, weight }] of Object.entries(matchMembers)) {
    const given = query.get(parameter)
    const actual = owner === 'anyone' ? given : owner[parameter]
    levels[member] =
      given === null ? null : actual ? (isSame(given, actual) ? 'exact_match' : 'no_match') : 'no_data_available'
    if (given === null || !actual) continue
    possible += weight
    if (levels[member] === 'exact_match') points += weight
  }
  return { ...levels, summary_score: possible === 0 ? 0 : Math.round((100 * points) / possible), error_message: null }
}

/** A national id may be only its last four digits. */
const isSame = (given: string, actual: string) =>
  given.toLowerCase() === actual.toLowerCase() || (/^\d{4}$/.test(given) && actual.endsWith(given))

function simSwap({ known: { simSwapHours }, now }: LookupInput) {
  const at = simSwapHours === null ? null : new Date(now - simSwapHours * HOUR_MS)
  return {
    last_sim_swap: {
      last_sim_swap_date: at && `${at.toISOString().slice(0, 19)}Z`,
      swapped_period: 'PT48H',
      swapped_in_period: simSwapHours !== null && simSwapHours <= 48,
    },
    carrier_name: 'Emulated Wireless',
    mobile_country_code: '310',
    mobile_network_code: '000',
  }
}

const lineType = ({ known: { line } }: LookupInput) => ({
  type: line,
  carrier_name: 'Emulated Wireless',
  mobile_country_code: '310',
  mobile_network_code: '000',
})

const packages: Readonly<Record<string, (input: LookupInput) => object>> = {
  identity_match: matchIdentity,
  sim_swap: simSwap,
  line_type_intelligence: lineType,
}

/** The answer to a lookup. Packages that were not requested are null. */
export function answerLookup(input: LookupInput): object {
  const { phone, query, known, url } = input
  const requested = (query.get('Fields') ?? '').split(',')
  const isValid = /^\+[1-9]\d{9,14}$/.test(phone)
  return {
    calling_country_code: isValid ? '1' : null,
    country_code: isValid ? 'US' : null,
    phone_number: phone,
    national_format: isValid ? phone.slice(2) : null,
    valid: isValid,
    validation_errors: isValid ? [] : ['INVALID_LENGTH'],
    ...Object.fromEntries(
      Object.entries(packages).map(([name, read]) => [
        name,
        isValid && requested.includes(name)
          ? known.lookupError === null
            ? { ...read(input), error_code: null }
            : { error_code: known.lookupError }
          : null,
      ]),
    ),
    url,
  }
}
