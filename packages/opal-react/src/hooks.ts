/** The provider and the hook of Opal, without what opens a flow. React on the web and React Native share them. */
import {
  closed,
  createOpalStore,
  type FlowReports,
  type OpalCallbacks,
  type OpalState,
  type OpalStore,
  type OpenFlow,
} from '@causeway/elements/opal-store'
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

export interface OpalHandle<Options> extends OpalState {
  /** Opens the flow. Does nothing if a flow of this provider is open. */
  open: (options: Options) => void
  close: () => void
}

/**
 * Starts a flow. Returns null after a report if it can't.
 * @param shared what the provider shares; null if there is no provider
 */
type Start<Options, Config, Shared> = (
  options: Options,
  config: Config,
  shared: Shared | null,
  reports: FlowReports,
) => OpenFlow | null

interface Held {
  store: OpalStore
  shared: () => unknown
}

const Context = createContext<Held | null>(null)

/**
 * Holds one flow for the components inside it. Removing it closes the flow.
 * @param shared the values that the hook passes to `start`: those of the latest render
 */
export function FlowProvider({ shared, children }: { shared: unknown; children?: ReactNode }): ReactElement {
  const latest = useLatest(shared)
  const [held] = useState<Held>(() => ({ store: createOpalStore(), shared: () => latest.current }))
  useEffect(() => held.store.remove, [held])
  return createElement(Context.Provider, { value: held }, children)
}

/** Returns the functions that open and close the flow of the nearest provider, and its state. */
export function useFlow<Options, Config extends OpalCallbacks, Shared>(
  start: Start<Options, Config, Shared>,
  config: Config,
): OpalHandle<Options> {
  const latest = useLatest(config)
  const held = useContext(Context)
  const [missing] = useState(createOpalStore)
  const store = held?.store ?? missing
  const { isOpen, error } = useSyncExternalStore(store.subscribe, store.getState, () => closed)
  const open = useCallback(
    (options: Options) =>
      store.open(
        reports => start(options, latest.current, held && (held.shared() as Shared), reports),
        () => latest.current,
      ),
    [store, held, latest, start],
  )
  return { open, close: store.close, isOpen, error }
}
