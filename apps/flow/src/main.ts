/**
 * Starts the app in a frame on a customer's page. The preload page does not contain the app's element. It only loads
 * the app's files, including those of the second screen.
 */
import { createHost } from './host.js'
import { runApp } from './run.js'
import { prefetchNextScreens } from './screens/load.js'
import { browserLocales, loadLanguage } from './words/language.js'

const app = document.querySelector('causeway-flow')
if (app) {
  runApp(deps => createHost(window, deps))
  app.tab = window
} else void loadLanguage(browserLocales(navigator)).then(language => prefetchNextScreens('consent', language))
