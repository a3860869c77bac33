/** Handles links that a user creates for a person. Pure. */
import { ServiceError } from '@causeway/contract/errors'
import { prefixes } from '@causeway/contract/ids'
import { modes } from '@causeway/contract/session'

const tokenPaths = ['/opal/token', '/elements/token']

/** Returns true for a request that creates a token for a person's flow. */
export const createsToken = (method: string, path: string): boolean => method === 'POST' && tokenPaths.includes(path)

type Body = Record<string, unknown>

/** Fields that a link can set. Only the customer's server can set the appearance and origins or create people. */
const settableFields: readonly string[] = ['mode', 'type', 'entity_id', 'session_id', 'redirect_url']
/** Mode blocks that a link can set. Only the customer's server can set a loan's terms. */
const settableModes: readonly string[] = modes.filter(mode => mode !== 'balance_transfer')

/**
 * Converts the body of a link request to the body of the API request. The link's page always asks the person for a
 * code, even if their phone number is already verified. Otherwise, the user could use the link to read details that the
 * console masks. Throws INVALID_REQUEST.
 */
export function toTokenRequest(body: Body): Body {
  const allowed = body['session_id'] === undefined ? [...settableFields, ...settableModes] : settableFields
  const rejected = Object.keys(body).find(name => !allowed.includes(name))
  if (rejected !== undefined)
    throw new ServiceError(
      'INVALID_REQUEST',
      `A link created in the console cannot set ${rejected.slice(0, 40)}. Use the API instead.`,
    )
  if (typeof body['redirect_url'] !== 'string')
    throw new ServiceError(
      'INVALID_REQUEST',
      'redirect_url is required in the console. The person returns to this page after the flow.',
    )
  return { ...body, phone_proof_days: 0 }
}

/**
 * Throws FORBIDDEN if a change sets a person's phone number. A user who set their own number could receive the code of
 * the person's link, and then read what the console masks.
 */
export function refusePhone({ individual }: Body): void {
  if (typeof individual === 'object' && individual !== null && 'phone' in individual)
    throw new ServiceError('FORBIDDEN', 'A phone number cannot be set in the console. Use the API instead.')
}

/** Removes the token from a response, because a user receives only the link. */
export function withoutTokens(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  const { token: _, element_token: __, ...rest } = answer as Body
  return 'data' in rest ? { ...rest, data: withoutTokens(rest['data']) } : rest
}

const TOKEN_PATTERN = new RegExp(`(?:${prefixes.element_token}|${prefixes.opal_token})\\w+`, 'g')
/** The secret in the link of a flow's page. */
const LINK_SECRET_PATTERN = /(\/h\/\w+#)\w+/g

/**
 * Removes tokens from the text of a response, whichever request it answers. A user never sees a token, and sees a link
 * only in the response to their own request for it.
 */
export function hideTokens(text: string, keepsLink: boolean): string {
  const hidden = text.replace(TOKEN_PATTERN, '••••')
  return keepsLink ? hidden : hidden.replace(LINK_SECRET_PATTERN, '$1••••')
}
