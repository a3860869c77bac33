'use client'

/** The interface of Opal for React 18 and 19. The flow, its origins and its one-time tokens are those of the elements. */
import type { FrameOrigins } from '@causeway/elements/opal-events'
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { closed, createStore, type OpalStore } from './store.js'
import type { Opal, OpalConfig, OpenOptions } from './types.js'

export type { Environment, FrameOrigins, OpalError, OpalEvent } from '@causeway/elements/opal-events'
export { OpalEventType, OpalMode } from '@causeway/elements/opal-events'
export type { AppearanceMode, Opal, OpalConfig, OpalExit, OpenOptions } from './types.js'

const StoreContext = createContext<OpalStore | null>(null)

export interface OpalProviderProps {
  children?: ReactNode
  /** The origin that serves the frame. Default: `<meta name="causeway-frame-origin">`. */
  frameOrigin?: FrameOrigins
}

/** Holds one flow for the components inside it. Removing the provider closes the flow. */
export function OpalProvider({ children, frameOrigin }: OpalProviderProps): ReactElement {
  const origins = useLatest(frameOrigin ?? null)
  const [store] = useState(() => createStore(() => origins.current))
  useEffect(() => store.remove, [store])
  return createElement(StoreContext.Provider, { value: store }, children)
}

/** Returns the functions that open and close the flow of the nearest provider, and its state. */
export function useOpal(config: OpalConfig = {}): Opal {
  const latest = useLatest(config)
  const provided = useContext(StoreContext)
  const [missing] = useState(() => createStore(undefined))
  const store = provided ?? missing
  const { isOpen, error } = useSyncExternalStore(store.subscribe, store.getState, () => closed)
  const open = useCallback((options: OpenOptions) => store.open(options, () => latest.current), [store, latest])
  return { open, close: store.close, isOpen, error }
}

/** Uses a layout effect in the browser, and a plain one on the server, where React 18 warns about layout effects. */
const useCommitEffect = globalThis.document ? useLayoutEffect : useEffect

/** Returns a reference to the value of the latest render. */
function useLatest<T>(value: T): { current: T } {
  const latest = useRef(value)
  useCommitEffect(() => {
    latest.current = value
  })
  return latest
}
