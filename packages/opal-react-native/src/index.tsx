/** The interface of Opal for React Native. The flow is a hosted page in a webview. */
import { closed, createOpalStore, type OpalStore } from '@causeway/elements/opal-store'
import {
  createContext,
  type ReactElement,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { AppFlow } from './app-flow.js'
import { HostedPage } from './hosted-page.js'
import { startFlow } from './start-flow.js'
import type { Opal, OpalConfig, OpalProviderProps, OpenOptions } from './types.js'

export type { Environment, FrameOrigins, OpalError, OpalEvent } from '@causeway/elements/opal-events'
export { OpalEventType, OpalMode } from '@causeway/elements/opal-events'
export type { OpalExit } from '@causeway/elements/opal-store'
export type { Opal, OpalConfig, OpalProviderProps, OpenOptions } from './types.js'

interface Provided {
  store: OpalStore
  /** Returns the provider's latest properties. */
  props: () => OpalProviderProps
  show: (flow: AppFlow | null) => void
}

const ProviderContext = createContext<Provided | null>(null)

/** Holds one flow for the components inside it, and shows it over them. Removing the provider closes the flow. */
export function OpalProvider(props: OpalProviderProps): ReactElement {
  const latest = useLatest(props)
  const [flow, show] = useState<AppFlow | null>(null)
  const [store] = useState(createOpalStore)
  const provided = useMemo<Provided>(() => ({ store, props: () => latest.current, show }), [store, latest])
  useEffect(() => store.remove, [store])
  return (
    <ProviderContext.Provider value={provided}>
      {props.children}
      {flow && <HostedPage flow={flow} />}
    </ProviderContext.Provider>
  )
}

const showNothing = () => undefined

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
        reports =>
          startFlow(options, latest.current, provided?.props() ?? null, reports, provided?.show ?? showNothing),
        () => latest.current,
      ),
    [store, provided, latest],
  )
  return { open, close: store.close, isOpen, error }
}

/** Returns a reference to the value of the latest render. */
function useLatest<T>(value: T): { current: T } {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
