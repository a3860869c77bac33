/**
 * Version 1 of the message protocol between an element on a customer's page and its frame. Each direction has one
 * strict parser. This module has no dependencies because customers' pages load it.
 *
 * 1. The frame sends `hello { v, n }` to the exact origin of its parent. If the frame's page already shows the first
 *    screen, the frame sends `drawn { v, n }` before `hello`.
 * 2. The element replies with `init { v, n, locale, appearance, theme, display }` and one end of a MessageChannel.
 * 3. All other messages use that port: {@link ToHost} in one direction and {@link ToFrame} in the other.
 */
import type { ElementMode, FlowEvent } from './session.js'

export const PROTOCOL = 1
/** The protocol versions that the frame and the element support. */
export const PROTOCOLS: readonly number[] = [PROTOCOL]
/** Maximum message size, in UTF-16 code units of its JSON. */
export const MAX_MESSAGE_LENGTH = 16_384
/** Maximum number of messages per second in each direction. */
export const MAX_MESSAGES_PER_SECOND = 50
export const MIN_HEIGHT = 120
export const MAX_HEIGHT = 4_000

export type Appearance = 'light' | 'dark' | 'system'
export type Display = 'modal' | 'inline'
export type AuthReason = 'initial' | 'expired' | 'rejected'
export type ExitReason = 'completed' | 'user' | 'error' | 'expired'

/**
 * Design tokens that a host page may set. Colors are `#rgb` or `#rrggbb`. `radius` is a whole number of pixels, 0 to
 * 24.
 */
export interface Theme {
  accent?: string
  accent_dark?: string
  surface?: string
  surface_dark?: string
  text?: string
  text_dark?: string
  radius?: number
}

export interface Hello {
  causeway: 'hello' | 'drawn'
  v: number
  n: string
}

export interface Init {
  causeway: 'init'
  v: number
  n: string
  /** Null if the page accepts a token for any mode. */
  mode: ElementMode | null
  display: Display
  locale: string | null
  appearance: Appearance | null
  theme: Theme
  /** True if the frame is prepared but not yet shown. An `open` message ends this state. */
  hidden: boolean
}

/**
 * An error reported to the host page. `recoverable` is true if the flow continues automatically or with a new token.
 */
export interface FrameError {
  error_type: string
  sub_type: string
  message: string
  recoverable: boolean
  request_id: string | null
}

export interface Success {
  session_id: string
  entity_id: string
  accounts: string[]
  result: string | null
}

export interface AllocationTotals {
  total: number
  residual: number
}

export interface AllocationsConfirmed {
  session_id: string
  entity_id: string
  allocations: Record<string, number>
  residual_amount: number
}

export type ToHost =
  | { type: 'auth.request'; reason: AuthReason }
  | { type: 'ready' }
  | { type: 'event'; event: FlowEvent }
  | { type: 'resize'; height: number }
  | { type: 'exit.request'; reason: ExitReason }
  | ({ type: 'success' } & Success)
  | ({ type: 'error' } & FrameError)
  | ({ type: 'allocations.change' } & AllocationTotals)
  | ({ type: 'allocations.confirmed' } & AllocationsConfirmed)

/**
 * `leave`: the person asked the page to close the flow. The frame responds with `exit.request` unless the person
 * decides to stay.
 */
export type ToFrame =
  | { type: 'auth.token'; token: string | null }
  | { type: 'set'; locale?: string | null; appearance?: Appearance | null; theme?: Theme }
  | { type: 'open' }
  | { type: 'leave' }
  | { type: 'close' }

/** Matches a token: a prefix, a handle of 16 base-62 characters and a secret of 33 base-62 characters. */
const TOKEN = /^(?:pk_elem_|otkn_)([0-9A-Za-z]{16})[0-9A-Za-z]{33}$/

/** Returns a token's public handle, or null if the text is not a token. */
export function readHandle(token: unknown): string | null {
  return typeof token === 'string' ? (TOKEN.exec(token)?.[1] ?? null) : null
}

type Bag = Record<string, unknown>
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown, max = 200): value is string => typeof value === 'string' && value.length <= max
const isId = (value: unknown): value is string => isText(value, 64) && /^[a-z_]+_[0-9A-Za-z]+$/.test(value)
const isOneOf = <T extends string>(value: unknown, list: readonly T[]): value is T =>
  typeof value === 'string' && (list as readonly string[]).includes(value)
const isCents = (value: unknown): value is number => Number.isSafeInteger(value)

/** True if a message does not exceed the size limit. */
function sized(value: unknown): boolean {
  try {
    return JSON.stringify(value).length <= MAX_MESSAGE_LENGTH
  } catch {
    return false
  }
}

/**
 * Creates a counter that a listener calls for each message. The counter returns true for each message over the
 * per-second limit.
 * @param now returns the time in milliseconds, counted from any fixed point
 */
export function createRateLimit(now: () => number): () => boolean {
  let second = 0
  let count = 0
  return () => {
    const at = now()
    if (at - second >= 1000) {
      second = at
      count = 0
    }
    count += 1
    return count > MAX_MESSAGES_PER_SECOND
  }
}

export function readHello(value: unknown): Hello | null {
  if (!isBag(value)) return null
  const { causeway, v, n } = value
  return isOneOf(causeway, ['hello', 'drawn'] as const) && typeof v === 'number' && isText(n, 64)
    ? { causeway, v, n }
    : null
}

const appearances = ['light', 'dark', 'system'] as const
const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Returns a theme's valid tokens and drops the rest. */
export function readTheme(value: unknown): Theme {
  const theme: Theme = {}
  if (!isBag(value)) return theme
  for (const key of ['accent', 'accent_dark', 'surface', 'surface_dark', 'text', 'text_dark'] as const) {
    const color = value[key]
    if (isText(color, 7) && HEX.test(color)) theme[key] = color
  }
  const radius = value['radius']
  if (Number.isInteger(radius) && (radius as number) >= 0 && (radius as number) <= 24) theme.radius = radius as number
  return theme
}

/** The maximum length of a tag, which fits any language, script, region and variant. */
const MAX_TAG_LENGTH = 35

/**
 * Returns a canonical BCP 47 tag without extensions, or null if the value names no language. Also reads the tags of other
 * systems, such as `es_MX` and `es_MX.UTF-8@euro`. If only the language of a tag is valid, returns the language.
 */
export function readLocale(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2 * MAX_TAG_LENGTH) return null
  const tag = value.trim().split(/[.@]/, 1)[0]!.replaceAll('_', '-')
  for (const each of [tag, tag.split('-')[0]!]) {
    try {
      const { baseName } = new Intl.Locale(each)
      if (baseName.length <= MAX_TAG_LENGTH) return baseName
    } catch {
      // The tag is invalid.
    }
  }
  return null
}

export function readInit(value: unknown): Init | null {
  if (!isBag(value) || value['causeway'] !== 'init' || !sized(value)) return null
  const { v, n, mode, display } = value
  if (typeof v !== 'number' || !PROTOCOLS.includes(v) || !isText(n, 64)) return null
  if (mode !== null && !isOneOf(mode, ['connect', 'balance_transfer'] as const)) return null
  if (!isOneOf(display, ['modal', 'inline'] as const)) return null
  return {
    causeway: 'init',
    v,
    n,
    mode,
    display,
    locale: readLocale(value['locale']),
    appearance: isOneOf(value['appearance'], appearances) ? value['appearance'] : null,
    theme: readTheme(value['theme']),
    hidden: value['hidden'] === true,
  }
}

function readFlowEvent(value: unknown): FlowEvent | null {
  if (!isBag(value) || !isText(value['type'], 80) || !isText(value['timestamp'], 30)) return null
  const data = value['data']
  if (data !== null && !isBag(data)) return null
  return { type: value['type'], timestamp: value['timestamp'], data }
}

const isIds = (value: unknown): value is string[] => Array.isArray(value) && value.length <= 500 && value.every(isId)
const isAmounts = (value: unknown): value is Record<string, number> =>
  isBag(value) && Object.entries(value).every(([id, amount]) => isId(id) && isCents(amount))

/**
 * Parses a message that the frame sent to the element. Clamps the height in a `resize` message. Returns null if the
 * message must be ignored.
 */
export function readToHost(value: unknown): ToHost | null {
  if (!isBag(value) || !sized(value)) return null
  switch (value['type']) {
    case 'auth.request':
      return isOneOf(value['reason'], ['initial', 'expired', 'rejected'] as const)
        ? { type: 'auth.request', reason: value['reason'] }
        : null
    case 'ready':
      return { type: 'ready' }
    case 'event': {
      const event = readFlowEvent(value['event'])
      return event && { type: 'event', event }
    }
    case 'resize': {
      const height = value['height']
      if (typeof height !== 'number' || !Number.isFinite(height)) return null
      return { type: 'resize', height: Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Math.ceil(height))) }
    }
    case 'exit.request':
      return isOneOf(value['reason'], ['completed', 'user', 'error', 'expired'] as const)
        ? { type: 'exit.request', reason: value['reason'] }
        : null
    case 'success': {
      const { session_id, entity_id, accounts, result } = value
      if (!isId(session_id) || !isId(entity_id) || !isIds(accounts)) return null
      return { type: 'success', session_id, entity_id, accounts, result: isText(result, 4096) ? result : null }
    }
    case 'error': {
      const { error_type, sub_type, message, request_id } = value
      if (!isText(error_type, 64) || !isText(sub_type, 64) || !isText(message, 500)) return null
      return {
        type: 'error',
        error_type,
        sub_type,
        message,
        recoverable: value['recoverable'] === true,
        request_id: isText(request_id, 64) ? request_id : null,
      }
    }
    case 'allocations.change': {
      const { total, residual } = value
      return isCents(total) && isCents(residual) ? { type: 'allocations.change', total, residual } : null
    }
    case 'allocations.confirmed': {
      const { session_id, entity_id, allocations, residual_amount } = value
      if (!isId(session_id) || !isId(entity_id) || !isAmounts(allocations) || !isCents(residual_amount)) return null
      return { type: 'allocations.confirmed', session_id, entity_id, allocations, residual_amount }
    }
    default:
      return null
  }
}

/** Parses a message from the element to the frame. Returns null if the message must be ignored. */
export function readToFrame(value: unknown): ToFrame | null {
  if (!isBag(value) || !sized(value)) return null
  switch (value['type']) {
    case 'auth.token': {
      const token = value['token']
      return token === null || readHandle(token) ? { type: 'auth.token', token: token as string | null } : null
    }
    case 'set': {
      const message: Extract<ToFrame, { type: 'set' }> = { type: 'set' }
      if ('locale' in value) message.locale = readLocale(value['locale'])
      if ('appearance' in value)
        message.appearance = isOneOf(value['appearance'], appearances) ? value['appearance'] : null
      if ('theme' in value) message.theme = readTheme(value['theme'])
      return message
    }
    case 'open':
    case 'leave':
    case 'close':
      return { type: value['type'] }
    default:
      return null
  }
}
