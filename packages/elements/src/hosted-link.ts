/** Links to hosted pages, for apps that show them. Needs neither a browser nor the kit. */
import { readHandle } from '@causeway/contract/frame'

/** The length of the secret at the end of a token. */
const SECRET_LENGTH = 33

/**
 * Returns the link to a token's hosted page: the `hosted_url` of a token that was created with `redirect_url`. Returns
 * null if the value is not a token.
 * @param origin the origin that serves the frame
 */
export function hostedLink(origin: string, token: unknown): string | null {
  const handle = readHandle(token)
  return handle === null ? null : `${origin}/h/${handle}#${(token as string).slice(-SECRET_LENGTH)}`
}
