import type { IdentityDetails, MissingDetail } from '@causeway/connector/ports/identity'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import type { TwilioContext } from './client.js'
import { isRefusedLine, lookUp, readPackage, screeningPackages } from './lookup.js'

type Match = AnswerOf<'identity/match'>

/** The details match no person. Never `refused`, which would disable the person for good because of their phone. */
const noMatch: Match = { matched: false, missing: [] }

/** Compares a person's details with those of the phone's owner. */
export async function matchPerson(context: TwilioContext, { details }: CallOf<'identity/match'>): Promise<Match> {
  const required: readonly MissingDetail[] = ['name', 'phone', ...context.settings.TWILIO_MATCH_DETAILS]
  const missing = required.filter(detail => !isKnown[detail](details))
  if (missing.length > 0) return { matched: false, missing }
  const phone = details.phone!
  const packages = ['identity_match', ...screeningPackages(context.settings)] as const
  const lookup = await lookUp(context, phone, packages, matchParameters(details))
  // mutant: refused-line-does-not-match (drop 2)
  if (lookup === null || isRefusedLine(context, lookup)) return noMatch
  const result = readPackage(context, lookup, 'identity_match')
  const score = result?.['summary_score']
  if (!result || typeof score !== 'number' || score < context.settings.TWILIO_MATCH_SCORE) return noMatch
  // mutant: contradiction-is-no-match (false)
  if (decisive.some(member => result[member] === 'no_match')) return noMatch
  return { matched: true, person: context.fingerprint(phone), questions: false }
}

/** The comparisons that must not fail, whatever the score. People move, and some use another first name. */
const decisive = ['last_name_match', 'date_of_birth_match', 'national_id_match']

const lastFour = ({ ssn_4, ssn }: IdentityDetails) => ssn_4 || ssn?.slice(-4)

const isKnown: Readonly<Record<MissingDetail, (details: IdentityDetails) => boolean>> = {
  name: ({ first_name, last_name }) => Boolean(first_name || last_name),
  phone: ({ phone }) => Boolean(phone),
  dob: ({ dob }) => Boolean(dob),
  address: ({ address: { line1, city, state, zip } }) => Boolean(line1 && city && state && zip),
  ssn_4: details => Boolean(lastFour(details)),
}

/** Returns the parameters of a lookup for all details that are known. */
function matchParameters(details: IdentityDetails): Record<string, string> {
  const { first_name, last_name, dob, ssn, address } = details
  const isAddressKnown = Object.values(address).some(Boolean)
  const parameters = {
    FirstName: first_name,
    LastName: last_name,
    AddressLine1: address.line1,
    AddressLine2: address.line2,
    City: address.city,
    State: address.state,
    PostalCode: address.zip,
    AddressCountryCode: isAddressKnown ? 'US' : null,
    NationalId: ssn || lastFour(details),
    DateOfBirth: dob?.replaceAll('-', ''),
  }
  return Object.fromEntries(Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
