'use client'

/**
 * The interfaces of Opal and of Elements for React 18 and 19. The flow, its origins and its one-time tokens are those of
 * the elements.
 */
import type { FrameOrigins } from '@causeway/elements/opal-events'
import { closed, createOpalStore, type OpalStore } from '@causeway/elements/opal-store'
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLatest } from './latest.js'
import { refuseFlow, startFlow } from './start-flow.js'
import type { Opal, OpalConfig, OpenOptions } from './types.js'

export type { Method, MethodEvent, MethodOptions, MethodPayload } from '@causeway/elements/method'
export type { Environment, FrameOrigins, OpalError, OpalEvent } from '@causeway/elements/opal-events'
export { OpalEventType, OpalMode } from '@causeway/elements/opal-events'
export type { OpalExit } from '@causeway/elements/opal-store'
export type { AppearanceMode, Opal, OpalConfig, OpenOptions } from './types.js'
export { useMethod } from './use-method.js'

interface Provided {
  store: OpalStore
  /** Returns the origin of the provider's latest render. */
  origin: () => FrameOrigins | null
}

const ProviderContext = createContext<Provided | null>(null)

export interface OpalProviderProps {
  children?: ReactNode
  /** The origin that serves the frame. Default: `<meta name="causeway-frame-origin">`. */
  frameOrigin?: FrameOrigins
}

/** Holds one flow for the components inside it. Removing the provider closes the flow. */
export function OpalProvider({ children, frameOrigin }: OpalProviderProps): ReactElement {
  const latest = useLatest(frameOrigin ?? null)
  const [provided] = useState<Provided>(() => ({ store: createOpalStore(), origin: () => latest.current }))
  useEffect(() => provided.store.remove, [provided])
  return createElement(ProviderContext.Provider, { value: provided }, children)
}

/** Returns the functions that open and close the flow of the nearest provider, and its state. */
export function useOpal(config: OpalConfig = {}): Opal {
  const latest = useLatest(config)
  const provided = useContext(ProviderContext)
  const [missing] = useState(createOpalStore)
  const store = provided?.store ?? missing
  const { isOpen, error } = useSyncExternalStore(store.subscribe, store.getState, () => closed)
  const open = useCallback(
    (options: OpenOptions) =>
      store.open(
        reports => (provided ? startFlow(options, latest.current, provided.origin(), reports) : refuseFlow(reports)),
        () => latest.current,
      ),
    [store, provided, latest],
  )
  return { open, close: store.close, isOpen, error }
}
