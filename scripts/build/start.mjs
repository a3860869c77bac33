/** `pnpm start`: builds the project, then runs the service and the demo lender. */
import { runStack } from './stack.mjs'

await runStack({ api: ['apps/api/dist/main/server.js'], demo: ['apps/demo/dist/server.js'] })
