/** The links that a user makes for a person. Pure. */
import { ServiceError } from '@causeway/contract/errors'
import { modes } from '@causeway/contract/session'

const paths = ['/opal/token', '/elements/token']

/** True for a request that makes a token of a person's flow. */
export const makesToken = (method: string, path: string): boolean => method === 'POST' && paths.includes(path)

type Body = Record<string, unknown>

/** Fields of a link. Those of its looks, its origins and a new person are left to the customer's server. */
const known: readonly string[] = ['mode', 'type', 'entity_id', 'session_id', 'redirect_url']
/** Blocks of what the person does. A loan's terms are left to the customer's server, too. */
const blocks: readonly string[] = modes.filter(mode => mode !== 'balance_transfer')

/**
 * The body of such a request as the API gets it: of a link that asks the person for a code, whatever they proved before. Who
 * holds a token of a proved phone reads the person's details, which the user sees masked. Throws INVALID_REQUEST.
 */
export function asLink(body: Body): Body {
  const taken = body['session_id'] === undefined ? [...known, ...blocks] : known
  const other = Object.keys(body).find(name => !taken.includes(name))
  if (other !== undefined)
    throw new ServiceError(
      'INVALID_REQUEST',
      `A link in the console cannot set ${other.slice(0, 40)}. Use the API for it.`,
    )
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
