/** Renders the components on the server. */

import { ConnectElement, type ConnectElementRef, type FlowProps, OpalBalanceTransferElement } from '@causeway/react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'

export { version } from 'react'

export const render = (props: FlowProps<ConnectElementRef>): string =>
  renderToString(
    <StrictMode>
      <ConnectElement {...props}>
        <p slot="error">Call us</p>
      </ConnectElement>
      <OpalBalanceTransferElement {...props} />
    </StrictMode>,
  )
