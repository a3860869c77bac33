/** `pnpm start`: builds what has changed, then runs the service and the demo lender. */
import { prepare } from './prepare.mjs'
import { runStack } from './stack.mjs'

await runStack({
  prepare,
  api: ['apps/api/dist/main/server.js'],
  demo: ['apps/demo/dist/server.js'],
  logFile: 'data/start.log',
})
