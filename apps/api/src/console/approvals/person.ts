/** The rule for whether two console users can be one person. Pure. */
import type { approvalRefusals } from '@causeway/contract/endpoints/console-approvals'
import { foldPerson } from '../../network/payees/person.js'

export type Refusal = (typeof approvalRefusals)[number]

/** A console user, as far as it tells people apart. */
export interface Person {
  /** The user, the key, or the session of a link. */
  readonly actor: string
  readonly name: string | null
  /** The email of a user with an account. */
  readonly email: string | null
  /** True if a key signed in. A key names no person. */
  readonly isKey: boolean
}

const gmailDomains: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/**
 * Reduces an email to the mailbox that receives it: without upper case, and without the part that follows a plus. Gmail
 * also ignores dots, and has two domains.
 */
function foldEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const mailbox = email.slice(0, at).split('+')[0]!.toLowerCase()
  return gmailDomains.has(domain) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`
}

/** Returns true if an operator signed in with a link that has no name. */
const isNamelessOperator = ({ email, name, isKey }: Person): boolean => email === null && name === null && !isKey

/**
 * Returns true if two users can be one person: one user, one mailbox, two nameless operators, or a link with the name of
 * the other. Two accounts with one name can be two people, because each has its own mailbox.
 */
export function canBeSamePerson(one: Person, other: Person): boolean {
  if (one.actor === other.actor) return true
  if (one.email !== null && other.email !== null) return foldEmail(one.email) === foldEmail(other.email)
  if (isNamelessOperator(one) && isNamelessOperator(other)) return true
  return one.name !== null && other.name !== null && foldPerson(one.name) === foldPerson(other.name)
}
