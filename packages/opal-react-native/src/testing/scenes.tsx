/** A customer's app that opens the flow with `useOpal`. The tests bundle it with stand-ins for React Native. */
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { type Opal, type OpalConfig, OpalProvider, type OpalProviderProps, useOpal } from '../index.js'

export { version } from 'react'
export { openedUrls, Platform } from './react-native.js'
export { webView } from './react-native-webview.js'

export interface App {
  /** Null for an app without a provider. */
  provider: Omit<OpalProviderProps, 'children'> | null
  config: OpalConfig
}

export interface Drawn {
  /** The result of the latest `useOpal`. */
  opal: () => Opal
  unmount: () => void
}

interface StartProps {
  config: OpalConfig
  onRender: (opal: Opal) => void
}

function Start({ config, onRender }: StartProps) {
  const opal = useOpal(config)
  onRender(opal)
  return <p id="state">{opal.isOpen ? 'open' : (opal.error?.sub_type ?? 'closed')}</p>
}

/** Renders an app under StrictMode. */
export function start(home: HTMLElement, { provider, config }: App): Drawn {
  let latest: Opal | undefined
  const root = createRoot(home)
  const content = (
    <Start
      config={config}
      onRender={opal => {
        latest = opal
      }}
    />
  )
  const tree = provider ? <OpalProvider {...provider}>{content}</OpalProvider> : content
  flushSync(() => root.render(<StrictMode>{tree}</StrictMode>))
  return { opal: () => latest!, unmount: () => flushSync(() => root.unmount()) }
}
