/** The state of one provider: the flow that is open, and the callbacks of the component that opened it. */
import { type Launched, launch } from '@causeway/elements/launch'
import {
  errorEvent,
  errorOfEvent,
  type FrameOrigins,
  type OpalError,
  OpalEventType,
  opalEvent,
  opalEvents,
  openingErrors,
} from '@causeway/elements/opal-events'
import type { CSSProperties } from 'react'
import type { OpalConfig, OpenOptions } from './types.js'

export interface OpalState {
  isOpen: boolean
  /** The last error since `open()`; null if there is none, or if the flow continued. */
  error: OpalError | null
}

export interface OpalStore {
  getState(): OpalState
  subscribe(listener: () => void): () => void
  /** @param config returns the latest callbacks of the component that opens the flow */
  open(options: OpenOptions, config: () => OpalConfig): void
  close(): void
  /** Closes the flow without a callback. */
  remove(): void
}

export const closed: OpalState = { isOpen: false, error: null }

/** Returns the container of an inline flow; null for a modal. */
function containerOf({ parentElement }: OpalConfig): Element | null {
  if (!parentElement) return null
  const found = typeof parentElement === 'string' ? document.querySelector(parentElement) : parentElement
  if (!found) console.warn('useOpal: parentElement matches no element, so the flow opens in a modal.')
  return found
}

/** Properties whose numbers are not pixels. */
const UNITLESS = /^(?:zIndex|opacity|order|lineHeight|fontWeight|flex(?:Grow|Shrink)?)$/

/** Returns styles as text, as React does: a number is a length in pixels. */
const styleOf = (styles: CSSProperties): Record<string, string> =>
  Object.fromEntries(
    Object.entries(styles).map(([name, value]) => [
      name,
      typeof value === 'number' && !UNITLESS.test(name) ? `${value}px` : String(value),
    ]),
  )

/** @param originsOf returns the provider's `frameOrigin`; undefined if there is no provider */
export function createStore(originsOf: (() => FrameOrigins | null) | undefined): OpalStore {
  let state = closed
  let launched: Launched | null = null
  const listeners = new Set<() => void>()
  const set = (change: Partial<OpalState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /** Reports an error in each of the three ways. */
  function report(
    error: OpalError,
    config: () => OpalConfig,
    event = errorEvent(error, new Date().toISOString()),
  ): void {
    set({ error })
    config().onEvent?.(event)
    config().onError?.(error)
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open({ token, appearance }, config) {
      if (launched) return
      set({ error: null })
      if (!originsOf) return report(openingErrors.PROVIDER_REQUIRED, config)
      const { env = 'production', frameOrigin, portalStyles, iframeStyles } = config()
      if (iframeStyles) console.warn('useOpal: use connect-element::part(frame) in CSS instead of iframeStyles.')
      launched = launch({
        token,
        env,
        frameOrigin: frameOrigin ?? originsOf(),
        parent: containerOf(config()),
        appearance: appearance ?? null,
        onOpen() {
          set({ isOpen: true })
          config().onOpen?.()
        },
        onEvent(name, timestamp, data) {
          for (const event of opalEvents(name, timestamp, data)) {
            const error = errorOfEvent(event)
            if (error) report(error, config, event)
            else config().onEvent?.(event)
          }
        },
        // The stream reports success with `opal.session.completed`.
        onSuccess: () => undefined,
        onReady() {
          if (state.error?.recoverable) set({ error: null })
        },
        onError: error => report(error, config),
        onExit(reason) {
          launched = null
          set({ isOpen: false })
          const { SESSION_EXITED } = OpalEventType
          config().onEvent?.(opalEvent(SESSION_EXITED, new Date().toISOString(), { reason }))
          config().onExit?.({ reason })
        },
      })
      if (launched && portalStyles) Object.assign(launched.element.style, styleOf(portalStyles))
    },
    close: () => launched?.close(),
    remove() {
      launched?.remove()
      launched = null
      if (state.isOpen) set({ isOpen: false })
    },
  }
}
