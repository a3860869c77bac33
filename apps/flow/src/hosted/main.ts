/** Starts the app on a hosted page. */
import { newExchangeId, runApp } from '../run.js'
import { createHostedPage, withLinkExchange } from './hosted-page.js'
import { createLinkHistory, readHostedPage } from './link-history.js'
import { createNativeBridge } from './native-bridge.js'

const keeper = createLinkHistory(window)
const page = createHostedPage({
  app: document.querySelector('causeway-flow')!,
  known: readHostedPage(document),
  keeper,
  say: createNativeBridge(window),
  handle: location.pathname.split('/').at(-1)!,
  exchangeId: newExchangeId,
  go: address => location.replace(address),
})

runApp(page, withLinkExchange(keeper))
