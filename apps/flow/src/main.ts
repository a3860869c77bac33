/** Starts the app in a frame on a customer's page. */
import { createHost } from './host.js'
import { run } from './run.js'

run(deps => createHost(window, deps))
