/**
 * Opens a flow in an element that this module adds to the page, for the packages that offer the interface of Opal or of
 * Elements. A page that can't open the flow is notified within two seconds.
 */
import { type Appearance, type ExitReason, readHandle, readHello } from '@causeway/contract/frame'
import './define.js'
import type { FlowElement } from './element.js'
import { type FrameOrigins, type OpalError, openingErrors, readOrigin } from './opal-events.js'

export interface LaunchOptions {
  /** The element to add. An `opal-element` accepts a token for any mode. */
  tag: 'connect-element' | 'opal-element'
  token: unknown
  env: string
  /** Null if the page has not configured an origin; then the script that contains the kit must have set it. */
  frameOrigin: FrameOrigins | null
  /** The container of an inline flow; null for a modal. */
  parent: Element | null
  appearance: Appearance | null
  onOpen: () => void
  /** Called when the flow's first screen is ready. */
  onReady?: () => void
  /** Called with each event of the detailed stream. */
  onEvent: (name: string, timestamp: string, data: Record<string, unknown> | null) => void
  onSuccess: (result: { entity_id: string; accounts: string[] }) => void
  onError: (error: OpalError) => void
  /** Called last, once, if `onOpen` was called. */
  onExit: (reason: ExitReason) => void
}

export interface Launched {
  /** The element, for styles. */
  readonly element: HTMLElement
  close(): void
  /** Closes the flow without a callback and removes the element. */
  remove(): void
}

/**
 * A frame that has not started the protocol within this many milliseconds is reported, even if it is still loading. The
 * page is promised a report within two seconds, and timers are late on a busy device.
 */
const CONTACT_TIMEOUT_MS = 1_800
/** If the document in a frame is the flow, it starts the protocol at most this many milliseconds after it has loaded. */
const HELLO_TIMEOUT_MS = 1_000
/** A closed element stays on the page for this many milliseconds, so that its frame can notify the service. */
const REMOVAL_DELAY_MS = 500

/** The page's own setting: `<meta name="causeway-frame-origin" content="https://frame.example.com">`. */
const originOfPage = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="causeway-frame-origin"]')?.content || null

/** Opens a flow. Returns null, after `onError`, if the options don't allow it. */
export function launch(options: LaunchOptions): Launched | null {
  const { token, env, parent, appearance } = options
  const found = readOrigin(options.frameOrigin ?? originOfPage(), env)
  const refused = 'error' in found ? found.error : readHandle(token) === null ? openingErrors.TOKEN_REQUIRED : null
  if (refused || 'error' in found) {
    options.onError(refused!)
    return null
  }

  const element = document.createElement(options.tag) as FlowElement
  Object.assign(element, {
    token,
    frameOrigin: found.origin,
    appearance,
    display: parent ? 'inline' : 'modal',
  })
  const contact = new AbortController()
  let isOpen = false
  let isFailed = false

  const fail = (error: OpalError): void => {
    if (contact.signal.aborted) return
    isFailed = true
    contact.abort()
    options.onError(error)
    element.close()
  }
  const remove = (): void => {
    contact.abort()
    element.remove()
  }

  element.addEventListener('element-open', () => {
    isOpen = true
    options.onOpen()
  })
  element.addEventListener('element-ready', () => options.onReady?.())
  element.addEventListener('element-event', ({ name, timestamp, data }) => options.onEvent(name, timestamp, data))
  element.addEventListener('element-success', ({ entity_id, accounts }) => options.onSuccess({ entity_id, accounts }))
  element.addEventListener('element-error', ({ error_type: type, sub_type, message, recoverable }) =>
    options.onError({ type, sub_type, message, recoverable }),
  )
  element.addEventListener('element-exit', ({ reason }) => {
    contact.abort()
    setTimeout(remove, REMOVAL_DELAY_MS)
    options.onExit(isFailed ? 'error' : reason)
  })

  const home = parent ?? document.body
  home.append(element)
  watchPolicy(found.origin, () => fail(openingErrors.FRAME_BLOCKED), contact.signal)
  // The element reports the cause of a rejection with `element-error`.
  element.open().catch(() => undefined)
  if (!isOpen) {
    remove()
    return null
  }
  watchFrame(element.shadowRoot!.querySelector('iframe')!, contact, {
    // A browser may be online without a connection, but never the other way around.
    onSilent: () => fail(navigator.onLine ? openingErrors.FRAME_REFUSED : openingErrors.OFFLINE),
    onSlow: () =>
      options.onError({
        type: 'API_ERROR',
        sub_type: 'FRAME_UNREACHABLE',
        message: 'The frame has not responded yet. The flow starts as soon as it does.',
        recoverable: true,
      }),
  })
  return { element, close: () => element.close(), remove }
}

/** Notices that the page's policy blocks the frame. */
function watchPolicy(origin: string | null, onBlocked: () => void, signal: AbortSignal): void {
  const directives = ['frame-src', 'child-src', 'default-src']
  document.addEventListener(
    'securitypolicyviolation',
    ({ disposition, effectiveDirective, blockedURI }) => {
      if (disposition !== 'enforce' || !directives.includes(effectiveDirective)) return
      if (origin === null || blockedURI.startsWith(new URL(origin).origin)) onBlocked()
    },
    { signal },
  )
}

interface FrameWatch {
  /** Called if a document has loaded in the frame that is not the flow, such as the browser's error page. */
  onSilent: () => void
  /** Called if nothing has loaded yet. */
  onSlow: () => void
}

/** Watches a frame until it starts the protocol. */
function watchFrame(frame: HTMLIFrameElement, contact: AbortController, { onSilent, onSlow }: FrameWatch): void {
  const { signal } = contact
  const timers = [setTimeout(onSlow, CONTACT_TIMEOUT_MS)]
  signal.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer)
  })
  frame.addEventListener('load', () => timers.push(setTimeout(onSilent, HELLO_TIMEOUT_MS)), { signal })
  window.addEventListener(
    'message',
    ({ source, data }) => {
      if (source !== null && source === frame.contentWindow && readHello(data)) contact.abort()
    },
    { signal },
  )
}
