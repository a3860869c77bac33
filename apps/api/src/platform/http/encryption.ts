import type { Team } from '../team.js'
import type { Rendered } from './render.js'

/** A request that was encrypted. */
interface Message {
  /** The body in plain text; empty if there is no body. */
  text: string
  /** The answer as it leaves: encrypted, but for files. */
  seal(rendered: Rendered): Promise<Rendered>
}

/** Message-level encryption. */
export interface Encryption {
  /** @param mode what the request says of how it is encrypted. Throws INVALID_REQUEST */
  open(team: Team, mode: string, text: string): Promise<Message>
}
