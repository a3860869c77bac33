import { urlStart } from '@causeway/contract/endpoints/endpoint'
import { ServiceError } from '@causeway/contract/errors'

/** Returns true if a host name refers to this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname)
}

/**
 * Reads a URL that the service calls or displays. The URL must use https or, in the sandbox, http on this machine.
 * Throws an INVALID_REQUEST error that names the field.
 */
export function readUrl(text: string, field: string, sandbox: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const secure = url?.protocol === 'https:' || (sandbox && url?.protocol === 'http:' && isLoopback(url.hostname))
  if (
    !url ||
    !secure ||
    text.length > 2_000 ||
    !urlStart.test(text) ||
    /[\s\p{Cc}]/u.test(text) ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new ServiceError(
      'INVALID_REQUEST',
      `${field} must be an https URL of at most 2,000 characters, without a user name or spaces${sandbox ? '. The sandbox also accepts http on localhost' : ''}.`,
    )
  return url
}

/**
 * Reads an origin in the exact format that browsers use, such as `https://app.example.com`. Throws an INVALID_REQUEST
 * error that names the field.
 */
export function readOrigin(text: string, field: string, sandbox: boolean): string {
  const url = readUrl(text, field, sandbox)
  // The host is inserted unchanged into a header and an HTML page.
  if (!/^[a-z0-9.-]+(:\d{1,5})?$/.test(url.host))
    throw new ServiceError('INVALID_REQUEST', `${field} must have a host of letters, digits, dots and dashes.`)
  if (url.origin !== text)
    throw new ServiceError('INVALID_REQUEST', `${field} must be an exact origin: ${url.origin}, with nothing after it.`)
  return text
}
