/**
 * `pnpm dev`: runs the service and the demo lender from source, and restarts them when a file changes. The frame
 * bundles must have been built at least once.
 */
import { runStack } from './stack.mjs'

const watch = file => ['node_modules/tsx/dist/cli.mjs', 'watch', '--conditions=source', file]

await runStack({
  api: watch('apps/api/src/main/server.ts'),
  demo: watch('apps/demo/src/server.ts'),
  open: [['The compiler', ['node_modules/typescript/bin/tsc', '-b', '--watch', '--preserveWatchOutput', 'apps/demo']]],
})
