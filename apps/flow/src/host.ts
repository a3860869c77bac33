/**
 * Communicates with the page that embeds the frame. No other module of the app exchanges messages with that page. This
 * module sends a hello message only to exact origins on the page's list, accepts a reply only if it comes from the parent
 * at such an origin and has the correct nonce, and then uses the port in the reply.
 */
import {
  createRateLimit,
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
  /** The embedding origin; null until its `init` is accepted. */
  readonly origin: string | null
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
export interface StartOptions extends Pick<Init, 'locale' | 'appearance' | 'theme' | 'hidden'> {
  display: Display | 'page'
  mode: ElementMode | null
}

export interface HostDeps {
  onInit: (start: StartOptions) => void
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

/** The values in the URL's fragment: the nonce, and the origin that the embedding page states. */
interface Fragment {
  n?: string
  o?: string
}

/**
 * Removes the fragment from the URL but keeps its values in the history entry, so that the page can send the hello
 * message again after a reload.
 */
function takeFragment(window: Window): Fragment {
  const values = new URLSearchParams(window.location.hash.slice(1))
  const n = values.get('n') ?? ''
  if (!/^[\w-]{16,64}$/.test(n)) return (window.history.state as Fragment | null) ?? {}
  const fragment = { n, o: values.get('o') ?? '' }
  window.history.replaceState(fragment, '', window.location.pathname + window.location.search)
  return fragment
}

/**
 * Returns the origins at which the embedding page may be. Most browsers state the exact origin. A browser that neither
 * states it nor sends a referrer leaves the origin that the page itself states and, if there is none, every origin on
 * the list. The browser delivers a message only to a parent at the given origin, so a wrong origin discloses nothing.
 */
function parentOrigins({ location, document }: Window, stated: string | undefined, list: readonly string[]): string[] {
  const originOf = (text: string) => (URL.canParse(text) ? [new URL(text).origin] : [])
  const [ancestor] = location.ancestorOrigins ?? []
  if (ancestor) return [ancestor]
  const known = [...originOf(document.referrer), ...originOf(stated ?? '')]
  return known.length > 0 ? [...new Set(known)] : list.filter(entry => URL.canParse(entry))
}

export function createHost(window: Window, { onInit, onMessage }: HostDeps): Host {
  const { n: nonce, o: stated } = takeFragment(window)
  const list = readOrigins(window.document)
  const origins = parentOrigins(window, stated, list).filter(each => isAllowed(each, list))
  const alone = window.parent === window || !nonce
  const refused = alone ? 'no_parent' : origins.length === 0 ? 'not_allowed' : null
  let origin: string | null = null
  let port: MessagePort | null = null
  let dropped = 0
  const isOver = createRateLimit(() => performance.now())
  const waiting: ToHost[] = []

  function accept(event: MessageEvent): void {
    if (event.source !== window.parent || !origins.includes(event.origin) || port) return
    const init = isOver() ? null : readInit(event.data)
    const [end] = event.ports
    if (!init || init.n !== nonce || !end) {
      dropped += 1
      return
    }
    window.removeEventListener('message', accept)
    port = end
    origin = event.origin
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
    get origin() {
      return origin
    },
    get dropped() {
      return dropped
    },
    open() {
      if (refused || port) return
      window.addEventListener('message', accept)
      for (const each of origins) window.parent.postMessage({ causeway: 'hello', v: PROTOCOL, n: nonce }, each)
    },
    send(message) {
      if (port) port.postMessage(message)
      else if (!refused) waiting.push(message)
    },
  }
}
