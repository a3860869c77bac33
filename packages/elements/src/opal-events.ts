/**
 * Opal's events and modes, for the packages that offer Opal's interface. This module needs neither a browser nor the
 * kit.
 */

/** The modes of an Opal token. */
export const OpalMode = {
  OPAL: 'opal',
  IDENTITY_VERIFICATION: 'identity_verification',
  CONNECT: 'connect',
  CARD_CONNECT: 'card_connect',
  ACCOUNT_VERIFICATION: 'account_verification',
  TRANSACTIONS: 'transactions',
  BALANCE_TRANSFER: 'balance_transfer',
  MANAGE: 'manage',
} as const
export type OpalMode = (typeof OpalMode)[keyof typeof OpalMode]

/**
 * The types of well-known events. A key is the type in upper case, without `opal.`. The service sends more types, such
 * as `balance_transfer.allocations.confirmed`.
 */
export const OpalEventType = {
  SESSION_STARTED: 'opal.session.started',
  SESSION_COMPLETED: 'opal.session.completed',
  SESSION_ERRORED: 'opal.session.errored',
  SESSION_EXITED: 'opal.session.exited',
  FLOW_STARTED: 'opal.flow.started',
  FLOW_COMPLETED: 'opal.flow.completed',
  STEP_STARTED: 'opal.step.started',
  STEP_COMPLETED: 'opal.step.completed',
  IDENTITY_VERIFICATION_FLOW_STARTED: 'identity_verification.flow.started',
  IDENTITY_VERIFICATION_STEP_STARTED: 'identity_verification.step.started',
  IDENTITY_VERIFICATION_STEP_COMPLETED: 'identity_verification.step.completed',
  IDENTITY_VERIFICATION_FLOW_COMPLETED: 'identity_verification.flow.completed',
  IDENTITY_VERIFICATION_IDENTITY_COMPLETED: 'identity_verification.identity.completed',
  CONNECT_FLOW_STARTED: 'connect.flow.started',
  CONNECT_STEP_STARTED: 'connect.step.started',
  CONNECT_STEP_COMPLETED: 'connect.step.completed',
  CONNECT_FLOW_COMPLETED: 'connect.flow.completed',
  CONNECT_ACCOUNTS_SELECTED: 'connect.accounts.selected',
  ACCOUNT_VERIFICATION_FLOW_STARTED: 'account_verification.flow.started',
  ACCOUNT_VERIFICATION_STEP_STARTED: 'account_verification.step.started',
  ACCOUNT_VERIFICATION_STEP_COMPLETED: 'account_verification.step.completed',
  ACCOUNT_VERIFICATION_FLOW_COMPLETED: 'account_verification.flow.completed',
  ACCOUNT_VERIFICATION_CARD_VERIFIED: 'account_verification.card.verified',
  CARD_CONNECT_CARD_VERIFIED: 'card_connect.card.verified',
  TRANSACTIONS_FLOW_STARTED: 'transactions.flow.started',
  TRANSACTIONS_STEP_STARTED: 'transactions.step.started',
  TRANSACTIONS_STEP_COMPLETED: 'transactions.step.completed',
  TRANSACTIONS_FLOW_COMPLETED: 'transactions.flow.completed',
  TRANSACTIONS_ACCOUNTS_LINKED: 'transactions.accounts.linked',
} as const
export type OpalEventType = (typeof OpalEventType)[keyof typeof OpalEventType]

/** An event. It contains ids and codes only, no personal data. */
export interface OpalEvent {
  /** `<flow>.<object>.<action>`: one of {@link OpalEventType}, or another type of the detailed stream. */
  type: string
  /** The flow that the event belongs to; `opal` for events of the session. */
  mode: string
  object: string
  action: string
  /** ISO 8601 */
  timestamp: string
  data: Record<string, unknown> | null
}

/** An error that the page or the app is notified of. */
export interface OpalError {
  /** The category, such as `INVALID_REQUEST` or `API_ERROR`. */
  type: string
  sub_type: string
  /** For developers. People see the flow's own text. */
  message: string
  /** True if the flow can continue, whether automatically, after a retry or with a new token. */
  recoverable: boolean
}

/** Returns an event of a type, with the parts of its type. */
export function opalEvent(type: string, timestamp: string, data: Record<string, unknown> | null): OpalEvent {
  const [mode = '', object = '', action = ''] = type.split('.')
  return { type, mode, object, action, timestamp, data }
}

/**
 * Returns the events to report for one event of the detailed stream: the event, and its copy named `opal.flow.*` or
 * `opal.step.*` if it starts or completes a flow or a step.
 */
export function opalEvents(name: string, timestamp: string, data: Record<string, unknown> | null): OpalEvent[] {
  const event = opalEvent(name, timestamp, data)
  const isMirrored = event.mode !== 'opal' && (event.object === 'flow' || event.object === 'step')
  return isMirrored ? [event, { ...event, type: `opal.${event.object}.${event.action}` }] : [event]
}

/** Returns the event for an error. */
export const errorEvent = ({ type, sub_type, message, recoverable }: OpalError, timestamp: string): OpalEvent =>
  opalEvent(OpalEventType.SESSION_ERRORED, timestamp, { type, sub_type, message, recoverable })

/** Returns the error that an `opal.session.errored` event reports; null for any other event. */
export function errorOfEvent({ type, data }: OpalEvent): OpalError | null {
  if (type !== OpalEventType.SESSION_ERRORED) return null
  const text = (name: string) => String(data?.[name] ?? '')
  return {
    type: text('type'),
    sub_type: text('sub_type'),
    message: text('message'),
    recoverable: data?.['recoverable'] === true,
  }
}

/** The environments of Opal and of Elements. */
const environments = ['local', 'dev', 'sandbox', 'production'] as const
export type Environment = (typeof environments)[number]

/**
 * The origin that serves the frame, such as `https://frame.example.com`: one for all environments, or one for each
 * environment.
 */
export type FrameOrigins = string | Partial<Record<Environment, string>>

/** Returns the errors that the packages report, each with its `type` and `recoverable`. */
const setup = (sub_type: string, message: string): OpalError => ({
  type: 'INVALID_REQUEST',
  sub_type,
  message,
  recoverable: false,
})

/** The errors that prevent an opening, besides those of the kit. */
export const openingErrors = {
  TOKEN_REQUIRED: setup(
    'TOKEN_REQUIRED',
    'open() requires a one-time token (otkn_… or pk_elem_…), which your server creates. Pass a token that was not used.',
  ),
  PROVIDER_REQUIRED: setup('PROVIDER_REQUIRED', 'Render the component that calls useOpal() inside <OpalProvider>.'),
  ENVIRONMENT_UNKNOWN: setup(
    'ENVIRONMENT_UNKNOWN',
    `env must be one of ${environments.join(', ')}, and frameOrigin must have an origin for it.`,
  ),
  FRAME_BLOCKED: setup(
    'FRAME_BLOCKED',
    "The page's content security policy blocked the frame. Add the frame's origin to frame-src.",
  ),
  FRAME_REFUSED: setup(
    'FRAME_REFUSED',
    "The frame's origin did not serve the flow. Check frameOrigin, that the token's allowed origins contain this page's origin, and that the token has no redirect_url.",
  ),
  OFFLINE: {
    ...setup('OFFLINE', 'The device is offline, so the frame did not load. Open the flow again with a new token.'),
    type: 'API_ERROR',
    recoverable: true,
  },
  ORIGIN_REQUIRED: setup(
    'FRAME_ORIGIN_REQUIRED',
    'Set frameOrigin to the origin that serves the hosted pages. It must be https, except on your own machine.',
  ),
  PAGE_REFUSED: setup(
    'PAGE_REFUSED',
    'The hosted page did not load. Check frameOrigin, and that the token was created with a redirect_url and not used.',
  ),
  PAGE_SLOW: {
    ...setup('PAGE_UNREACHABLE', 'The hosted page has not responded yet. The flow starts as soon as it does.'),
    type: 'API_ERROR',
    recoverable: true,
  },
} as const

/**
 * Returns the origin for an environment, or the error that prevents it.
 * @param origins null if the page has not configured any
 */
export function readOrigin(
  origins: FrameOrigins | null,
  env: string,
): { origin: string | null } | { error: OpalError } {
  const error = openingErrors.ENVIRONMENT_UNKNOWN
  if (!(environments as readonly string[]).includes(env)) return { error }
  if (origins === null || typeof origins === 'string') return { origin: origins }
  const origin = origins[env as Environment]
  return origin === undefined ? { error } : { origin }
}
