/** The state and the callbacks of Opal's interface, for one flow at a time. Needs neither a browser nor the kit. */
import {
  errorEvent,
  errorOfEvent,
  type OpalError,
  type OpalEvent,
  OpalEventType,
  opalEvent,
  opalEvents,
} from './opal-events.js'

/** The end of a flow: the person finished or left, the flow failed, or the session expired. */
export interface OpalExit {
  reason: 'completed' | 'user' | 'error' | 'expired'
}

export interface OpalCallbacks {
  onOpen?: () => void
  /** Called last, each time that a flow which opened has closed. */
  onExit?: (exit: OpalExit) => void
  onEvent?: (event: OpalEvent) => void
  /** Called for each error, also if the flow could not open. */
  onError?: (error: OpalError) => void
}

export interface OpalState {
  isOpen: boolean
  /** The last error since `open()`; null if there is none, or if the flow continued. */
  error: OpalError | null
}

/** The reports of a flow to its store. */
export interface FlowReports {
  onOpen: () => void
  onReady: () => void
  onEvent: (name: string, timestamp: string, data: Record<string, unknown> | null) => void
  onError: (error: OpalError) => void
  /** Called last, once, if `onOpen` was called. */
  onExit: (reason: OpalExit['reason']) => void
}

/** A flow that was started. */
export interface OpenFlow {
  close(): void
  /** Closes the flow without a report. */
  remove(): void
}

export interface OpalStore {
  getState(): OpalState
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
  /**
   * Starts a flow. Does nothing if one is open.
   * @param start starts the flow; returns null, after `onError`, if that is impossible
   * @param callbacks returns the latest callbacks of the component that opens the flow
   */
  open(start: (reports: FlowReports) => OpenFlow | null, callbacks: () => OpalCallbacks): void
  close(): void
  /** Closes the flow without a callback. */
  remove(): void
}

export const closed: OpalState = { isOpen: false, error: null }

const now = (): string => new Date().toISOString()

export function createOpalStore(): OpalStore {
  let state = closed
  let flow: OpenFlow | null = null
  const listeners = new Set<() => void>()
  const set = (change: Partial<OpalState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /** Reports an error in each of the three ways. */
  function report(error: OpalError, callbacks: OpalCallbacks, event = errorEvent(error, now())): void {
    set({ error })
    callbacks.onEvent?.(event)
    callbacks.onError?.(error)
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open(start, callbacks) {
      if (flow) return
      set({ error: null })
      flow = start({
        onOpen() {
          set({ isOpen: true })
          callbacks().onOpen?.()
        },
        onReady() {
          if (state.error?.recoverable) set({ error: null })
        },
        onEvent(name, timestamp, data) {
          for (const event of opalEvents(name, timestamp, data)) {
            const error = errorOfEvent(event)
            if (error) report(error, callbacks(), event)
            else callbacks().onEvent?.(event)
          }
        },
        onError: error => report(error, callbacks()),
        onExit(reason) {
          flow = null
          set({ isOpen: false })
          callbacks().onEvent?.(opalEvent(OpalEventType.SESSION_EXITED, now(), { reason }))
          callbacks().onExit?.({ reason })
        },
      })
    },
    close: () => flow?.close(),
    remove() {
      flow?.remove()
      flow = null
      if (state.isOpen) set({ isOpen: false })
    },
  }
}
