import { DAY_MS } from '@causeway/contract/time'
import { safeHeaders } from '../response/headers.js'

/** The standard path of the file that lists a contact for reporting vulnerabilities. Source: RFC 9116. */
export const SECURITY_TEXT = '/.well-known/security.txt'

/**
 * The lifetime of the file, in days. RFC 9116 recommends less than a year. The expiry date is computed for each
 * response.
 */
const VALID_DAYS = 180

const type = { 'Content-Type': 'text/plain; charset=utf-8' }

/** Returns the file's text. Pure. @param now epoch milliseconds */
export function writeSecurityText(contact: string, origin: string, now: number): string {
  const expires = new Date(now + VALID_DAYS * DAY_MS).toISOString().replace(/\.\d{3}/, '')
  return `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${origin}${SECURITY_TEXT}\n`
}

/**
 * Responds to a request for the file.
 * @param contact a URI, or null if the operator has not set one, in which case the response is 404
 */
export function answerSecurityText(contact: string | null, origin: string, now: number): Response {
  const headers = { ...safeHeaders(origin), ...type }
  if (contact === null)
    return new Response('The operator of this service has not set SECURITY_CONTACT.\n', {
      status: 404,
      headers: { ...headers, 'Cache-Control': 'no-store' },
    })
  return new Response(writeSecurityText(contact, origin, now), {
    headers: { ...headers, 'Cache-Control': 'public, max-age=86400' },
  })
}
