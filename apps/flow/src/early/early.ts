/**
 * Shows the first screen that the service rendered into the page until the app has rendered its own, and passes an early
 * press to it. The service embeds this script in the page. It runs before the app is loaded.
 */
import { showEarly } from './show.js'

showEarly(window, path => import(/* @vite-ignore */ path))
