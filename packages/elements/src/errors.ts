/**
 * The table of all errors that the kit itself reports to a page. Errors from the service pass through the frame
 * unchanged.
 */
import type { FrameError } from '@causeway/contract/frame'

const row = (message: string, recoverable = true, error_type = 'INVALID_REQUEST') => ({
  error_type,
  message,
  recoverable,
})

/** The errors by sub_type. Messages are for developers; people see the element's own text. */
export const kitErrors = {
  NOT_CONNECTED: row('Add the element to the page before you call open().', false),
  FRAME_ORIGIN_REQUIRED: row('Set frame-origin to the origin that serves the frame.', false),
  FRAME_ORIGIN_REFUSED: row("frame-origin must be https and must differ from the page's own origin.", false),
  FRAME_UNREACHABLE: row(
    'The frame did not load. Check frame-origin, and check that the token is for an element, has no redirect_url, and has not expired.',
    true,
    'API_ERROR',
  ),
  TOKEN_REQUIRED: row(
    'A new one-time token is required. Set token or getToken, and return a token that has not been used.',
  ),
  TOKEN_CALLBACK_FAILED: row(
    'getToken failed or did not return a one-time token. The browser console shows the cause.',
  ),
} as const

export type KitError = keyof typeof kitErrors

/** Returns the error that the page receives for a row of the table. */
export const errorOf = (sub_type: KitError): FrameError => ({ ...kitErrors[sub_type], sub_type, request_id: null })

/**
 * Returns an error about the page's setup. The error's `name` is the sub_type, and its message explains how to fix the
 * problem.
 */
export const setupError = (name: KitError): Error => namedError(name, kitErrors[name].message)

export const namedError = (name: string, message: string): Error => Object.assign(new Error(message), { name })
