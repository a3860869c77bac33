import { urlStart } from '@causeway/contract/declaration/endpoint'
import { ServiceError } from '@causeway/contract/errors'

/** Returns true if a host name refers to this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname)
}

const MAX_URL_LENGTH = 2_000

/** Characters that a URL's text can hide: invisible ones, spaces, and backslashes, which browsers read as slashes. */
const UNCLEAR_CHARACTERS = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\\]/u

const invalid = (field: string, requirement: string) => new ServiceError('INVALID_REQUEST', `${field} ${requirement}.`)

/**
 * Checks that every character of a URL can be seen and is read alike by all programs. Throws an INVALID_REQUEST error
 * that names the field.
 */
export function validateUrlText(text: string, field: string): void {
  if (text.length <= MAX_URL_LENGTH && UNCLEAR_CHARACTERS.test(text))
    throw invalid(
      field,
      'must not contain spaces, backslashes, or characters that are not visible. Percent-encode those that belong to the URL',
    )
}

/**
 * Reads a URL that the service calls or displays. The URL must use https or, in the sandbox, http on this machine.
 * Throws an INVALID_REQUEST error that names the field.
 */
export function readUrl(text: string, field: string, isSandbox: boolean): URL {
  validateUrlText(text, field)
  const url = URL.canParse(text) ? new URL(text) : null
  const isSecure = url?.protocol === 'https:' || (isSandbox && url?.protocol === 'http:' && isLoopback(url.hostname))
  if (
    !url ||
    !isSecure ||
    text.length > MAX_URL_LENGTH ||
    !urlStart.test(text) ||
    url.username !== '' ||
    url.password !== ''
  )
    throw invalid(
      field,
      `must be an https URL of at most 2,000 characters, without a user name${isSandbox ? '. The sandbox also accepts http on localhost' : ''}`,
    )
  return url
}

/**
 * Reads an origin in the exact format that browsers use, such as `https://app.example.com`. Throws an INVALID_REQUEST
 * error that names the field.
 */
export function readOrigin(text: string, field: string, isSandbox: boolean): string {
  const url = readUrl(text, field, isSandbox)
  // The host is inserted unchanged into a header and an HTML page.
  if (!/^[a-z0-9.-]+(:\d{1,5})?$/.test(url.host))
    throw new ServiceError('INVALID_REQUEST', `${field} must have a host of letters, digits, dots and dashes.`)
  if (url.origin !== text)
    throw new ServiceError('INVALID_REQUEST', `${field} must be an exact origin: ${url.origin}, with nothing after it.`)
  return text
}
