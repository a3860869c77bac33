import { availableParallelism } from 'node:os'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { mutationPlugin } from './scripts/mutation.mjs'
import { storelessTests } from './scripts/store-tests.mjs'

/**
 * Tests that run in Node. The component tests of `elements`, `react`, `flow` and `console` run in a browser under web-test-runner,
 * so only their `*.node.test.ts` run here. `api` is a project of its own because it runs once for each database engine.
 * Test files of a worker share their modules: a test leaves no module state behind. A file that needs modules of its own
 * is named `*.isolated.test.ts`.
 */
const connector = Boolean(process.env['TEST_CONNECTOR'])
const cores = availableParallelism()
const storeless = storelessTests(import.meta.dirname)
const isolated = '**/*.isolated.test.ts'
const rest = [
  'packages/contract/src/**/*.test.ts',
  'packages/sdk/src/**/*.test.ts',
  'packages/testing/src/**/*.test.ts',
  'packages/cli/src/**/*.test.ts',
  'apps/demo/src/**/*.test.ts',
  'packages/{elements,react}/src/**/*.node.test.ts',
  'apps/{flow,console}/src/**/*.node.test.ts',
  'scripts/**/*.test.{mjs,ts}',
  'bench/*.test.mjs',
]

export default defineConfig({
  plugins: [mutationPlugin()],
  // Node gets these conditions too, also where one npm package requires another: `import` and `default` must not be here.
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  test: {
    pool: 'forks',
    isolate: false,
    // With a connector tests wait more than they work.
    maxWorkers: connector ? 2 * cores : cores,
    // A connector that misbehaves takes its time.
    testTimeout: connector ? 120_000 : 20_000,
    hookTimeout: connector ? 120_000 : 30_000,
    // A busy machine takes longer than the second that is the default.
    expect: { poll: { timeout: connector ? 60_000 : 10_000 } },
    restoreMocks: true,
    // A run after the first one reads transformed modules from disk, which takes a third of the time.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: 'api',
          include: ['apps/api/src/**/*.test.ts'],
          exclude: storeless,
          globalSetup: ['apps/api/src/testing/connector-setup.ts', 'apps/api/src/testing/store-setup.ts'],
          setupFiles: ['apps/api/src/testing/query-guard-setup.ts'],
        },
      },
      { extends: true, test: { name: 'rest', include: [...rest, ...storeless], exclude: [isolated] } },
      { extends: true, test: { name: 'isolated', include: [isolated], isolate: true } },
      // These need a browser.
      { extends: true, test: { name: 'docs', include: ['docs/tools/*.test.mjs'] } },
      {
        extends: true,
        test: {
          name: 'frameworks',
          include: ['frameworks/**/*.test.{mjs,ts}'],
          globalSetup: ['frameworks/install.mjs'],
        },
      },
    ],
  },
})
