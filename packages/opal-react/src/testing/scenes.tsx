/** A customer's page that opens the flow with `useOpal` or `useMethod`. The tests bundle it once per React version. */
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import {
  type Method,
  type MethodOptions,
  type Opal,
  type OpalConfig,
  OpalProvider,
  type OpalProviderProps,
  useMethod,
  useOpal,
} from '../index.js'

export { version } from 'react'

export interface Page {
  /** Null for a page without a provider. */
  provider: Omit<OpalProviderProps, 'children'> | null
  config: OpalConfig
}

export interface Drawn {
  /** The result of the latest `useOpal`. */
  opal: () => Opal
  draw: (page: Page) => void
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

/** Renders a page under StrictMode. */
export function start(home: HTMLElement, page: Page): Drawn {
  let latest: Opal | undefined
  const root = createRoot(home)
  const draw = ({ provider, config }: Page) => {
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
  }
  draw(page)
  return { opal: () => latest!, draw, unmount: () => flushSync(() => root.unmount()) }
}

export interface DrawnMethod {
  /** The result of the latest `useMethod`. */
  method: () => Method
  draw: (options: MethodOptions) => void
  unmount: () => void
}

interface StartMethodProps {
  options: MethodOptions
  onRender: (method: Method) => void
}

function StartMethod({ options, onRender }: StartMethodProps) {
  onRender(useMethod(options))
  return null
}

/** Renders a page of Elements under StrictMode. */
export function startMethod(home: HTMLElement, options: MethodOptions): DrawnMethod {
  let latest: Method | undefined
  const root = createRoot(home)
  const onRender = (method: Method) => {
    latest = method
  }
  const draw = (next: MethodOptions) =>
    flushSync(() =>
      root.render(
        <StrictMode>
          <StartMethod options={next} onRender={onRender} />
        </StrictMode>,
      ),
    )
  draw(options)
  return { method: () => latest!, draw, unmount: () => flushSync(() => root.unmount()) }
}
