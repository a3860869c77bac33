/**
 * The frame's calls to its own origin. A successful response is a complete view. A failure is a {@link Fault}, whose
 * kind determines how to recover.
 */
import type {
  RedeemAnswer,
  RedeemRequest,
  SessionErrorBody,
  SessionView,
  Step,
  StepInput,
} from '@causeway/contract/session'

export type AnyInput = Exclude<StepInput[Step], never> | { action: 'back' }

/**
 * The reason a call failed. `offline`, `unavailable`, `limited`: the same call may be retried. `expired`: a new token
 * is needed. `rejected`: the token is invalid. `misplaced`: this page or configuration is not allowed to use the token.
 */
export interface Fault {
  kind: 'offline' | 'unavailable' | 'limited' | 'expired' | 'rejected' | 'misplaced'
  error_type: string
  sub_type: string
  message: string
  request_id: string | null
  /** For `limited`, the number of seconds to wait. */
  wait: number | null
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; fault: Fault }

export interface FrameClient {
  redeem(request: RedeemRequest): Promise<Outcome<RedeemAnswer>>
  view(bearer: string): Promise<Outcome<SessionView>>
  step(bearer: string, step: Step, revision: number, input: AnyInput): Promise<Outcome<SessionView>>
  /** Reports that the person opened a prepared session. */
  open(bearer: string): Promise<Outcome<SessionView>>
  /** Downloads the person's data. */
  download(bearer: string): Promise<Outcome<unknown>>
  /** Reports that the person is leaving. The request outlives the page, and its response is ignored. */
  leave(bearer: string): void
}

/** The timeout is long enough for a slow phone, but short enough that a button doesn't seem unresponsive. */
const TIMEOUT_MS = 25_000

const kinds: Record<string, Fault['kind']> = {
  SESSION_EXPIRED: 'expired',
  EXPIRED_TOKEN: 'rejected',
  INVALID_TOKEN: 'rejected',
  ORIGIN_NOT_ALLOWED: 'misplaced',
  INVALID_MODE_CONFIG: 'misplaced',
  FORBIDDEN: 'misplaced',
}

/** Errors that the frame itself detects, keyed by `sub_type`. All other errors come from the service. */
export const frameErrors = {
  NETWORK_ERROR: 'The service could not be reached.',
  OFFLINE: 'The device is offline.',
} as const

function lost(online: boolean): Fault {
  const sub_type = online ? 'NETWORK_ERROR' : 'OFFLINE'
  const message = frameErrors[sub_type]
  const kind = online ? 'unavailable' : 'offline'
  return { kind, error_type: 'API_ERROR', sub_type, message, request_id: null, wait: null }
}

function readFault(response: Response, body: SessionErrorBody | null): Fault {
  const error = body?.error
  const sub_type = error?.sub_type ?? 'INTERNAL_ERROR'
  const wait = Number(response.headers.get('retry-after'))
  return {
    kind:
      kinds[sub_type] ?? (response.status === 401 ? 'expired' : response.status === 429 ? 'limited' : 'unavailable'),
    error_type: error?.type ?? 'API_ERROR',
    sub_type,
    message: error?.message ?? 'The service did not return a valid response.',
    request_id: response.headers.get('request-id'),
    wait: Number.isFinite(wait) && wait > 0 ? wait : null,
  }
}

export interface FrameClientDeps {
  fetch: typeof fetch
  /** True if the device reports a network connection. */
  online: () => boolean
}

/**
 * Creates the calls. The calls are stateless. Each call includes an `exchange_id` or a revision, which makes it safe to
 * repeat.
 */
export function createFrameClient({ fetch, online }: FrameClientDeps): FrameClient {
  async function send<T>(path: string, init: RequestInit): Promise<Outcome<T>> {
    let response: Response
    let body: unknown
    try {
      response = await fetch(path, { ...init, cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
      body = await response.json().catch(() => null)
    } catch {
      return { ok: false, fault: lost(online()) }
    }
    if (response.ok && body !== null) return { ok: true, value: body as T }
    const failure = body as SessionErrorBody | null
    // A stale revision is not an error: the step was completed elsewhere, or a response was lost. Show the current
    // view.
    if (response.status === 409 && failure?.view) return { ok: true, value: failure.view as T }
    return { ok: false, fault: readFault(response, failure) }
  }
  const json = { 'content-type': 'application/json' }
  return {
    redeem: request => send('/s/redeem', { method: 'POST', headers: json, body: JSON.stringify(request) }),
    open: bearer => send('/s/open', { method: 'POST', headers: { authorization: `Bearer ${bearer}` } }),
    view: bearer => send('/s', { headers: { authorization: `Bearer ${bearer}` } }),
    step: (bearer, step, revision, input) =>
      send(`/s/steps/${step}`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${bearer}` },
        body: JSON.stringify({ revision, input }),
      }),
    download: bearer => send('/s/export', { headers: { authorization: `Bearer ${bearer}` } }),
    leave: bearer => {
      const headers = { authorization: `Bearer ${bearer}` }
      fetch('/s/exit', { method: 'POST', headers, keepalive: true }).catch(() => undefined)
    },
  }
}
