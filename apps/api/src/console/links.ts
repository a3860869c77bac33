/** The links that a user makes for a person. Pure. */
import { ServiceError } from '@causeway/contract/errors'

const paths = ['/opal/token', '/elements/token']

/** True for a request that makes a token of a person's flow. */
export const makesToken = (method: string, path: string): boolean => method === 'POST' && paths.includes(path)

type Body = Record<string, unknown>

/**
 * The body of such a request as the API gets it: of a link that asks the person for a code, whatever they proved before. Who
 * holds a token of a proved phone reads the person's details, which the user sees masked. Throws INVALID_REQUEST.
 */
export function asLink(body: Body): Body {
  if (typeof body['redirect_url'] !== 'string')
    throw new ServiceError(
      'INVALID_REQUEST',
      'redirect_url is required in the console: the page that the person returns to from the link.',
    )
  return { ...body, phone_proof_days: 0 }
}

/** Its answer without the token: the link is all that a user gets. */
export function onlyLink(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  const { token: _, element_token: __, ...rest } = answer as Body
  return 'data' in rest ? { ...rest, data: onlyLink(rest['data']) } : rest
}
