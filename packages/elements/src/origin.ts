/**
 * The origin that serves the frame. Uses the element's attribute or, if it is missing, the origin of the script-tag
 * build.
 */
import { setupError } from './errors.js'
import { make } from './view.js'

let inferred: string | null = null

/** Called by the script-tag build with its own URL. */
export function inferFrameOrigin(address: string | undefined): void {
  if (address) inferred = new URL(address).origin
}

const TRUSTED = /^https:|^http:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?::|$)/

/**
 * Returns the frame's exact origin. It must use https (or loopback) and differ from the page's own origin. Throws a
 * {@link setupError} otherwise.
 */
export function readFrameOrigin(given: string | null): string {
  const address = given || inferred
  if (!address) throw setupError('FRAME_ORIGIN_REQUIRED')
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  if (origin === location.origin || !TRUSTED.test(origin)) throw setupError('FRAME_ORIGIN_REFUSED')
  return origin
}

/** Opens a connection to an origin before its first use. Does so only once. */
export function preconnect(origin: string): void {
  if (document.querySelector(`link[rel=preconnect][href="${origin}"]`)) return
  document.head.append(make('link', { rel: 'preconnect', href: origin }))
}
