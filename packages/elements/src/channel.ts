/**
 * One iframe and its private channel. Accepts only messages that come from its own frame, at the exact origin, with the
 * correct nonce.
 */
import {
  createRateLimit,
  type Hello,
  type Init,
  PROTOCOLS,
  readHello,
  readToHost,
  type ToFrame,
  type ToHost,
} from '@causeway/contract/frame'
import { create } from './view.js'

export interface ChannelOptions {
  /** The frame's exact origin. */
  origin: string
  /** The token's public handle. */
  handle: string
  /** Returns the content of the first message to the frame. Called for each hello. */
  init: () => Omit<Init, 'causeway' | 'v' | 'n'>
  /** Called when the frame sends a hello with a supported version, either initially or after a reload. */
  onHello: () => void
  /** Called when the frame's page shows the first screen. At that point, the frame's app has not loaded yet. */
  onDrawn: () => void
  onMessage: (message: ToHost) => void
  /** Stops listening and closes the port. */
  signal: AbortSignal
}

export interface Channel {
  readonly frame: HTMLIFrameElement
  /** The number of messages that the channel dropped because they were malformed, too large or over the rate limit. */
  readonly dropped: number
  post(message: ToFrame): void
  /** Sends changed properties to the frame. Changes in quick succession are batched. */
  set(change: Omit<Extract<ToFrame, { type: 'set' }>, 'type'>): void
}

/**
 * The interval between batches, in milliseconds. The interval keeps a burst of changes, such as an animated theme or a
 * dragged slider, under the frame's rate limit.
 */
const BATCH_INTERVAL_MS = 40

export function createChannel({ origin, handle, init, onHello, onDrawn, onMessage, signal }: ChannelOptions): Channel {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  const frame = create('iframe', {
    src: `${origin}/e/${handle}?init=${encodeURIComponent(JSON.stringify(init()))}#n=${nonce}&o=${location.origin}`,
    sandbox: 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
    referrerpolicy: 'strict-origin',
    allow: 'otp-credentials',
    part: 'frame',
  })

  let port: MessagePort | undefined
  let dropped = 0
  let changes: Extract<ToFrame, { type: 'set' }> | undefined

  const isOver = createRateLimit(() => performance.now())

  const post = (message: ToFrame): void => port?.postMessage(message)

  function greet(hello: Hello): void {
    const v = [hello.v, hello.v - 1].find(version => PROTOCOLS.includes(version))
    if (v === undefined) return
    onHello()
    const line = new MessageChannel()
    port?.close()
    port = line.port1
    port.onmessage = ({ data }) => {
      const message = isOver() ? null : readToHost(data)
      if (message) onMessage(message)
      else dropped += 1
    }
    const answer: Init = { causeway: 'init', v, n: nonce, ...init() }
    frame.contentWindow?.postMessage(answer, origin, [line.port2])
  }

  window.addEventListener(
    'message',
    event => {
      if (!event.source || event.source !== frame.contentWindow || event.origin !== origin) return
      const hello = isOver() ? null : readHello(event.data)
      if (hello?.n !== nonce) dropped += 1
      else if (hello.causeway === 'drawn') onDrawn()
      else greet(hello)
    },
    { signal },
  )
  signal.addEventListener('abort', () => port?.close())

  return {
    frame,
    get dropped() {
      return dropped
    },
    post,
    set(change) {
      if (!changes)
        setTimeout(() => {
          if (changes) post(changes)
          changes = undefined
        }, BATCH_INTERVAL_MS)
      changes = { type: 'set', ...changes, ...change }
    },
  }
}
