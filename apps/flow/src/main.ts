/** The app in a frame of somebody's page. */
import { createHost } from './host.js'
import { run } from './run.js'

run(deps => createHost(window, deps))
