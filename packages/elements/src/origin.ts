/** Which origin serves the frame: the element's attribute, else where the script-tag build came from. */

import { make } from './view.js'

let inferred: string | null = null

/** Called by the script-tag build with its own address. */
export function inferFrameOrigin(address: string | undefined): void {
  if (address) inferred = new URL(address).origin
}

/** An error of the page's set-up; its `name` is the sub_type, its message says what to do. */
export function setupError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}

const TRUSTED = /^https:|^http:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?::|$)/

/** The exact origin to frame: https (or loopback), and not the page's own. Throws a {@link setupError}. */
export function readFrameOrigin(given: string | null): string {
  const address = given || inferred
  if (!address) throw setupError('FRAME_ORIGIN_REQUIRED', 'Set frame-origin to the origin that serves the frame.')
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  if (origin === location.origin || !TRUSTED.test(origin))
    throw setupError('FRAME_ORIGIN_REFUSED', "frame-origin must be https, and not the page's own origin.")
  return origin
}

/** Opens a connection ahead of its first use, once per origin. */
export function preconnect(origin: string): void {
  if (document.querySelector(`link[rel=preconnect][href="${origin}"]`)) return
  document.head.append(make('link', { rel: 'preconnect', href: origin }))
}
