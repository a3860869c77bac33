/**
 * Determines the origin that serves the frame: the element's attribute or, if it is missing, the origin of the
 * script-tag build.
 */
import { setupError } from './errors.js'
import { create } from './view.js'

let inferred: string | null = null

/** Called by the script-tag build with its own URL. */
export function inferFrameOrigin(address: string | undefined): void {
  if (address) inferred = new URL(address).origin
}

const TRUSTED = /^https:|^http:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?::|$)/

/**
 * Returns the frame's exact origin. The origin must use https (or loopback) and differ from the page's own origin.
 * Throws a {@link setupError} otherwise.
 */
export function readFrameOrigin(given: string | null): string {
  const address = given || inferred
  if (!address) throw setupError('FRAME_ORIGIN_REQUIRED')
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  if (origin === location.origin || !TRUSTED.test(origin)) throw setupError('FRAME_ORIGIN_REFUSED')
  return origin
}

/**
 * Loads the frame's files into the browser's cache, using a hidden frame that never shows the flow. Does this only
 * once. The hidden frame stays in the page, because it keeps the origin's process and compiled scripts ready.
 */
export function preload(origin: string): void {
  const src = `${origin}/preload`
  if (document.querySelector(`iframe[src="${src}"]`)) return
  const frame = create('iframe', { src, sandbox: 'allow-scripts allow-same-origin' })
  frame.style.setProperty('display', 'none', 'important')
  document.documentElement.append(frame)
}
