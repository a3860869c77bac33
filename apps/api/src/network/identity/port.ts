import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { Call } from '../ports.js'

export interface Details {
  first_name: string | null
  last_name: string | null
  phone: string | null
  dob: string | null
  ssn: string | null
  ssn_4: string | null
  address: { line1: string | null; line2: string | null; city: string | null; state: string | null; zip: string | null }
}

export type Missing = 'name' | 'phone' | 'dob' | 'address' | 'ssn_4'

export interface KbaQuestion {
  id: string
  text: string
  answers: { id: string; text: string }[]
}

/** Proof by the phone's own network: the handset opens the addresses, and its carrier says whose it is. */
interface SilentAuthentication {
  /** The addresses for a session, which `request_id` names. */
  beginSna(call: Call & { phone: string }): Promise<{ status: 'ready'; urls: string[] } | { status: 'refused' }>
  /** The carrier's answer; `pending`: the handset has not opened them yet. */
  checkSna(call: Call & { phone: string }): Promise<{ status: 'correct' | 'incorrect' | 'pending' }>
}

/** Phone codes, matching and knowledge questions. */
export interface Identity extends SilentAuthentication {
  /** Texts a code to a phone. */
  sendCode(call: Call & { phone: string }): Promise<{ status: 'sent' } | { status: 'refused' }>
  checkCode(call: Call & { phone: string; code: string }): Promise<{ status: 'correct' | 'incorrect' | 'expired' }>
  /**
   * True if the details resolve to exactly one person. `person`: the network's reference, opaque; `missing`: the
   * details that would decide it; `questions`: whether knowledge questions must be answered before the identity is
   * proven; `refused`: this person must not be served, and why.
   */
  match(
    call: Call & { details: Details },
  ): Promise<
    | { matched: true; person: string; questions: boolean }
    | { matched: false; missing: Missing[]; refused?: ResourceErrorCode }
  >
  /** The questions for a matched person. An empty list: nothing needs to be asked. `round` 0 is the first set. */
  questions(call: Call & { person: string; round: number }): Promise<{ questions: KbaQuestion[] }>
  answer(
    call: Call & { person: string; round: number; answers: { question_id: string; answer_id: string }[] },
  ): Promise<{ status: 'correct' | 'incorrect' }>
}
