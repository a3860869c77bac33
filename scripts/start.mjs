/** `pnpm start`: the service and the demo lender, as built. */
import { runStack } from './stack.mjs'

await runStack({ api: ['apps/api/dist/main/server.js'], demo: ['apps/demo/dist/server.js'] })
