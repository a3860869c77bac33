/**
 * Shows the first screen, which the service rendered into the page, until the app has rendered its own. If the person
 * presses a button early, the press is passed to the app. The service embeds this script in the page, where it runs
 * before the app loads.
 */
import { showFirstScreen } from './show-first-screen.js'

showFirstScreen(window, path => import(/* @vite-ignore */ path))
