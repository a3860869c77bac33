/**
 * Renders the element's parts around its frame. Plain DOM methods take less code than templates, and they work on pages
 * whose policy enforces Trusted Types or forbids inline styles.
 */
import type { Appearance, Display, Theme } from '@causeway/contract/frame'
import { legibleTheme } from './legible.js'
import type { Words } from './words.js'

export type Status = 'idle' | 'loading' | 'ready' | 'failed'

/** The cause of a failure: the frame cannot be reached, or the page provided no token. */
export type Cause = 'connection' | 'page'

export interface Handlers {
  onRetry: () => void
  /** Called when the person presses Escape or the close button. */
  onExit: () => void
  /** Called when the browser closes the dialog. */
  onClosed: () => void
}

interface State {
  status: Status
  cause: Cause | undefined
  /** True if the frame is prepared but not shown. */
  isHidden: boolean | undefined
  appearance: Appearance | null
  theme: Theme
  /** The flow's name. */
  title: string
  words: Words
  frame: HTMLIFrameElement | undefined
}

export interface View {
  /** A `<dialog>` for a modal, a `<div>` for an inline flow. */
  readonly box: HTMLElement
  draw(state: State): void
}

/** Creates an element with the given attributes and children. */
export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Returns a placeholder shaped like the frame's first screen: a heading, two lines and three bullet points. */
function makeLoading(words: Words): HTMLElement {
  const bars = (count: number) => Array.from({ length: count }, () => create('i', {}))
  const points = bars(3).map(() => create('p', {}, ...bars(2)))
  const slot = create('slot', { name: 'loading' }, create('b', {}, words.loading), ...bars(3), ...points)
  return create('div', { class: 'state', part: 'loading', role: 'status' }, slot)
}

function makeFailed(words: Words, advice: string, onRetry: () => void): HTMLElement {
  const retry = create('button', { part: 'retry' }, words.retry)
  retry.onclick = onRetry
  const slot = create('slot', { name: 'error' }, create('h2', {}, words.failed), create('p', {}, advice), retry)
  return create('div', { class: 'state failed', part: 'error', role: 'alert' }, slot)
}

export function createView(display: Display, { onRetry, onExit, onClosed }: Handlers): View {
  const isInline = display === 'inline'
  const box = isInline ? create('div', { part: 'container' }) : create('dialog', { part: 'dialog' })
  const close = create('button', { class: 'close', part: 'close' }, '✕')
  close.onclick = onExit
  if (!isInline) box.append(close)
  box.oncancel = event => {
    // If the browser will close the dialog anyway, its cancel event is not cancelable.
    if (event.target !== box || !event.cancelable) return
    event.preventDefault()
    onExit()
  }
  box.onclose = onClosed

  let shown: HTMLElement | undefined
  let state: HTMLElement | undefined
  let drawn: unknown

  return {
    box,
    draw({ status, cause, isHidden = false, appearance, theme, title, words, frame }) {
      box.className = `box ${isHidden ? 'hidden' : status} ${appearance}`
      box.inert = isHidden
      box.style.cssText = Object.entries(legibleTheme(theme))
        .map(([token, value]) => `--t-${token}:${value}`)
        .join(';')
      if (!isInline) box.ariaLabel = title
      box.lang = words.lang
      box.dir = words.dir
      box.hidden = isInline && status === 'idle'
      close.ariaLabel = words.close
      close.hidden = status === 'ready'
      const advice = words[cause ?? 'connection']
      const key = status + words.loading + advice
      if (key !== drawn) {
        drawn = key
        state?.remove()
        state =
          status === 'loading'
            ? makeLoading(words)
            : status === 'failed'
              ? makeFailed(words, advice, onRetry)
              : undefined
        if (state) box.append(state)
      }
      if (frame) frame.title = title
      if (frame !== shown) {
        // Moving a frame in the DOM reloads it, so the frame is inserted only once.
        shown?.remove()
        shown = frame
        if (frame) box.append(frame)
      }
    },
  }
}
