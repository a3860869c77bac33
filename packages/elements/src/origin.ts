/** The origin that serves the frame: the element's attribute, or else the origin of the script-tag build. */
import { setupError } from './errors.js'
import { make } from './view.js'

let inferred: string | null = null

/** Called by the script-tag build with its own URL. */
export function inferFrameOrigin(address: string | undefined): void {
  if (address) inferred = new URL(address).origin
}

const TRUSTED = /^https:|^http:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?::|$)/

/** Returns the exact origin of the frame: https (or loopback), and not the page's own. Throws a {@link setupError}. */
export function readFrameOrigin(given: string | null): string {
  const address = given || inferred
  if (!address) throw setupError('FRAME_ORIGIN_REQUIRED')
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  if (origin === location.origin || !TRUSTED.test(origin)) throw setupError('FRAME_ORIGIN_REFUSED')
  return origin
}

/** Opens a connection to an origin before its first use, once. */
export function preconnect(origin: string): void {
  if (document.querySelector(`link[rel=preconnect][href="${origin}"]`)) return
  document.head.append(make('link', { rel: 'preconnect', href: origin }))
}
