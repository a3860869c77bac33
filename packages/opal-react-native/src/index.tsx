/** The interface of Opal for React Native. The flow is a hosted page in a webview. */
import { FlowProvider, useFlow } from '@causeway/opal-react/hooks'
import { type ReactElement, useState } from 'react'
import type { AppFlow } from './app-flow.js'
import { HostedPage } from './hosted-page.js'
import { startFlow } from './start-flow.js'
import type { Opal, OpalConfig, OpalProviderProps } from './types.js'

export type { Environment, FrameOrigins, OpalError, OpalEvent } from '@causeway/elements/opal-events'
export { OpalEventType, OpalMode } from '@causeway/elements/opal-events'
export type { OpalExit } from '@causeway/elements/opal-store'
export type { Opal, OpalConfig, OpalProviderProps, OpenOptions } from './types.js'

/** Holds one flow for the components inside it, and shows it over them. Removing the provider closes the flow. */
export function OpalProvider({ children, frameOrigin }: OpalProviderProps): ReactElement {
  const [flow, show] = useState<AppFlow | null>(null)
  return (
    <FlowProvider shared={{ frameOrigin, show }}>
      {children}
      {flow && <HostedPage flow={flow} />}
    </FlowProvider>
  )
}

/** Returns the functions that open and close the flow of the nearest provider, and its state. */
export const useOpal = (config: OpalConfig = {}): Opal => useFlow(startFlow, config)
