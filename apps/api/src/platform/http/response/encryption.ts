import type { Team } from '../../team.js'
import type { Rendered } from './rendered.js'

/** A decrypted request. */
interface Message {
  /** The body in plain text; empty if there is no body. */
  text: string
  /** Encrypts the response. Files stay unencrypted. */
  seal(rendered: Rendered): Promise<Rendered>
}

/** Message-level encryption (MLE). */
export interface Encryption {
  /** @param mode the encryption named in the request's header. Throws INVALID_REQUEST */
  open(team: Team, mode: string, text: string): Promise<Message>
}
