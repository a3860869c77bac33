import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { PortCall } from './call.js'

export interface IdentityDetails {
  first_name: string | null
  last_name: string | null
  phone: string | null
  dob: string | null
  ssn: string | null
  ssn_4: string | null
  address: { line1: string | null; line2: string | null; city: string | null; state: string | null; zip: string | null }
}

export type MissingDetail = 'name' | 'phone' | 'dob' | 'address' | 'ssn_4'

export interface KbaQuestion {
  id: string
  text: string
  answers: { id: string; text: string }[]
}

/** Verifies a phone number through its carrier. The phone opens URLs, and the carrier identifies the phone's number. */
interface SilentAuthentication {
  /** Returns the URLs for a session. The session's id is `request_id`. */
  beginSna(call: PortCall & { phone: string }): Promise<{ status: 'ready'; urls: string[] } | { status: 'refused' }>
  /** Returns the carrier's answer. `pending` means that the phone has not opened the URLs yet. */
  checkSna(call: PortCall & { phone: string }): Promise<{ status: 'correct' | 'incorrect' | 'pending' }>
}

/** Phone codes, matching and knowledge questions. */
export interface Identity extends SilentAuthentication {
  /** Texts a code to a phone. */
  sendCode(call: PortCall & { phone: string }): Promise<{ status: 'sent' } | { status: 'refused' }>
  checkCode(call: PortCall & { phone: string; code: string }): Promise<{ status: 'correct' | 'incorrect' | 'expired' }>
  /**
   * Checks that the details match exactly one person. `person` is the network's opaque reference. `missing` lists the
   * details still required for a match. `questions` is true if the person must answer knowledge questions to prove
   * their identity. `refused` is the reason that the person must be rejected.
   */
  match(
    call: PortCall & { details: IdentityDetails },
  ): Promise<
    | { matched: true; person: string; questions: boolean }
    | { matched: false; missing: MissingDetail[]; refused?: ResourceErrorCode }
  >
  /** Returns the questions for a matched person, or an empty list if none are needed. `round` 0 is the first set. */
  questions(call: PortCall & { person: string; round: number }): Promise<{ questions: KbaQuestion[] }>
  answer(
    call: PortCall & { person: string; round: number; answers: { question_id: string; answer_id: string }[] },
  ): Promise<{ status: 'correct' | 'incorrect' }>
}
