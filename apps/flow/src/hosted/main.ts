/** Starts the app on a hosted page. */
import { exchangeId, run } from '../run.js'
import { readKnown, takeLink } from './link.js'
import { createNative } from './native.js'
import { createPage, exchanging } from './page.js'

const keeper = takeLink(window)
const page = createPage({
  app: document.querySelector('causeway-flow')!,
  known: readKnown(document),
  keeper,
  say: createNative(window),
  handle: location.pathname.split('/').at(-1)!,
  exchangeId,
  go: address => location.replace(address),
})

run(page, exchanging(keeper))
