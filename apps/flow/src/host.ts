/**
 * Communicates with the page that embeds the frame. No other module of the app exchanges messages with that page. This
 * module sends a hello message to exactly one origin, accepts a reply only if it comes from the parent at that origin
 * and has the correct nonce, and then uses the port in the reply.
 */
import {
  createCap,
  type Display,
  type Init,
  PROTOCOL,
  readInit,
  readToFrame,
  type ToFrame,
  type ToHost,
} from '@causeway/contract/frame'
import type { ElementMode } from '@causeway/contract/session'

export interface Host {
  /** The reason that the host is unusable; null if it is usable. */
  refused: 'no_parent' | 'not_allowed' | null
  /** The embedding origin, or null if it was rejected. */
  origin: string | null
  /**
   * The number of messages from the embedding page that were dropped because they were malformed, too large or over the
   * rate limit.
   */
  readonly dropped: number
  /** Sends the hello message. At most one `init` is accepted in reply. */
  open(): void
  send(message: ToHost): void
}

/** The app's appearance, language and purpose. A value is null if the host does not set it. */
export interface Start extends Pick<Init, 'locale' | 'appearance' | 'theme' | 'hidden'> {
  display: Display | 'page'
  mode: ElementMode | null
}

export interface HostDeps {
  onInit: (start: Start) => void
  onMessage: (message: ToFrame) => void
}

/**
 * Returns true if the page's list allows an origin to embed the page. A `loopback` entry allows this machine on any
 * port.
 */
export function isAllowed(origin: string, list: readonly string[]): boolean {
  if (list.includes(origin)) return true
  if (!list.includes('loopback') || !URL.canParse(origin)) return false
  const { hostname, protocol } = new URL(origin)
  const loopback =
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]'
  return loopback && (protocol === 'http:' || protocol === 'https:')
}

function readOrigins(document: Document): string[] {
  const content = document.querySelector('meta[name="causeway-origins"]')?.getAttribute('content') ?? ''
  return content.split(/\s+/).filter(word => word !== '')
}

/**
 * Removes the nonce from the URL but keeps it in the history entry, so that the page can send the hello message again
 * after a reload.
 */
function takeNonce(window: Window): string | null {
  const found = /[#&]n=([0-9A-Za-z_-]{16,64})/.exec(window.location.hash)?.[1]
  if (!found) return (window.history.state as { n?: string } | null)?.n ?? null
  window.history.replaceState({ n: found }, '', window.location.pathname + window.location.search)
  return found
}

function parentOrigin(window: Window): string | null {
  const { referrer } = window.document
  return URL.canParse(referrer) ? new URL(referrer).origin : null
}

export function createHost(window: Window, { onInit, onMessage }: HostDeps): Host {
  const nonce = takeNonce(window)
  const origin = parentOrigin(window)
  const alone = window.parent === window || !nonce || !origin
  const refused = alone ? 'no_parent' : isAllowed(origin, readOrigins(window.document)) ? null : 'not_allowed'
  let port: MessagePort | null = null
  let dropped = 0
  const isOver = createCap(() => performance.now())
  const waiting: ToHost[] = []

  function accept(event: MessageEvent): void {
    if (event.source !== window.parent || event.origin !== origin || port) return
    const init = isOver() ? null : readInit(event.data)
    const [end] = event.ports
    if (!init || init.n !== nonce || !end) {
      dropped += 1
      return
    }
    window.removeEventListener('message', accept)
    port = end
    port.onmessage = ({ data }) => {
      const message = isOver() ? null : readToFrame(data)
      if (message) onMessage(message)
      else dropped += 1
    }
    for (const message of waiting.splice(0)) port.postMessage(message)
    onInit(init)
  }

  return {
    refused,
    origin: refused ? null : origin,
    get dropped() {
      return dropped
    },
    open() {
      if (refused || port) return
      window.addEventListener('message', accept)
      window.parent.postMessage({ causeway: 'hello', v: PROTOCOL, n: nonce }, origin!)
    },
    send(message) {
      if (port) port.postMessage(message)
      else if (!refused) waiting.push(message)
    },
  }
}
