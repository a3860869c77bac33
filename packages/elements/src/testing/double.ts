/** The page's side of the fake frame: receives the frame's reports and sends it instructions. */
import type { Hello, Init, ToFrame, ToHost } from '@causeway/contract/frame'
import { fixture, waitUntil } from '@open-wc/testing'
import '../define.js'
import type { FlowElement } from '../element.js'

/** The test server under its other hostname, which makes it a different origin. */
export const FRAME = location.origin.replace('localhost', '127.0.0.1')

/** The reports that a fake frame sends. */
export interface ReceivedInit {
  double: string
  loaded?: string
  referrer?: string
  nonce?: string
  init?: Init
  origin?: string
  port?: ToFrame
  echo?: string
  focused?: boolean
}

export interface FrameCommand {
  say?: (ToHost | Record<string, unknown>)[]
  hello?: Partial<Hello>
  reload?: true
  echo?: string
}

let count = 0
/**
 * Returns a new handle. If the handle starts with `mute`, the fake frame sends no hello automatically. If the handle
 * starts with `eager`, the frame redeems its token and becomes ready.
 */
export const newHandle = (prefix = 'frame'): string => `${prefix}${String(count++).padStart(16 - prefix.length, '0')}`
export const tokenOf = (handle: string): string => `pk_elem_${handle}${'s'.repeat(33)}`

/** Collects the reports from the fake frame with this handle, and can wait for a specific one. */
export function recordMessages(handle: string) {
  const got: ReceivedInit[] = []
  const waiting = new Set<() => void>()
  window.addEventListener('message', ({ data }: MessageEvent<ReceivedInit>) => {
    if (data?.double !== handle) return
    got.push(data)
    for (const check of waiting) check()
  })
  return {
    got,
    /** Waits for the nth report that contains the key. */
    next<K extends keyof ReceivedInit>(key: K, nth = 1): Promise<ReceivedInit & Required<Pick<ReceivedInit, K>>> {
      return new Promise(resolve => {
        const check = () => {
          const found = got.filter(each => key in each)[nth - 1]
          if (!found) return
          waiting.delete(check)
          resolve(found as ReceivedInit & Required<Pick<ReceivedInit, K>>)
        }
        waiting.add(check)
        check()
      })
    },
    count: (key: keyof ReceivedInit): number => got.filter(each => key in each).length,
  }
}

/** Sends instructions to a fake frame. */
export const commandFrame = (frame: HTMLIFrameElement, told: FrameCommand): void =>
  frame.contentWindow?.postMessage(told, '*')

export const frameOf = (element: FlowElement): HTMLIFrameElement => {
  const frame = element.shadowRoot?.querySelector('iframe')
  if (!frame) throw new Error('There is no frame.')
  return frame
}

/** Waits for the next event with this name. */
export const nextEvent = <K extends keyof HTMLElementEventMap>(element: HTMLElement, name: K) =>
  new Promise<HTMLElementEventMap[K]>(resolve => element.addEventListener(name, resolve, { once: true }))

/** Adds an element with a token to the page, without opening it. */
export async function addElement(handle: string, fields: Partial<FlowElement> = {}, tag = 'connect-element') {
  const element = document.createElement(tag) as FlowElement
  Object.assign(element, { frameOrigin: FRAME, token: tokenOf(handle) }, fields)
  const home = await fixture<HTMLDivElement>('<div></div>')
  home.append(element)
  return element
}

/** Opens an element and resolves once its frame has sent `ready`. */
export async function openReady(fields: Partial<FlowElement> = {}, tag?: string) {
  const handle = newHandle()
  const heard = recordMessages(handle)
  const element = await addElement(handle, fields, tag)
  const outcome = element.open()
  await heard.next('init')
  const ready = nextEvent(element, 'element-ready')
  commandFrame(frameOf(element), { say: [{ type: 'ready' }] })
  await ready
  await element.updateComplete
  return { element, outcome, heard, handle, frame: frameOf(element) }
}

/**
 * Resolves once the frame has followed its instructions, the element has read the frame's window messages, and the
 * frame has read the replies.
 */
export async function frameSettled(
  frame: HTMLIFrameElement,
  heard: ReturnType<typeof recordMessages>,
): Promise<ReceivedInit> {
  const nth = heard.count('echo') + 1
  commandFrame(frame, { echo: 'there' })
  await heard.next('echo', nth)
  commandFrame(frame, { echo: 'and back' })
  return heard.next('echo', nth + 1)
}

/** Resolves once the element has read the messages that its frame was instructed to send through the port. */
export async function messagesDelivered(element: FlowElement): Promise<void> {
  const event = { type: 'test.drained', timestamp: '2026-01-01T00:00:00.000Z', data: null }
  const read = nextEvent(element, 'element-event')
  commandFrame(frameOf(element), { say: [{ type: 'event', event }] })
  await read
}

/** Resolves once all finite animations have ended. */
export const animationsEnd = (element: FlowElement): Promise<unknown> =>
  Promise.allSettled(
    element
      .shadowRoot!.getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      .map(({ finished }) => finished),
  )

/** Waits for a condition that no event signals. The timeout allows for a slow machine. */
export const waitFor = (holds: () => unknown, what?: string): Promise<void> =>
  waitUntil(holds, what, { interval: 10, timeout: 15_000 })
