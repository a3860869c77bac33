import { availableParallelism } from 'node:os'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { mutationPlugin } from './scripts/test/mutations/mutation.mjs'
import { storelessTests } from './scripts/test/store-tests.mjs'

/**
 * Tests that run in Node. The component tests of `elements`, `react`, `flow` and `console` run in a browser with
 * web-test-runner, so this file includes only their `*.node.test.ts` files. `api` is a separate project because it runs
 * once per database engine. Test files in the same worker share modules, so a test must not leave state in a module. A
 * file that needs its own modules is named `*.isolated.test.ts`.
 */
const connector = Boolean(process.env['TEST_CONNECTOR'])
const cores = availableParallelism()
const storeless = storelessTests(import.meta.dirname)
const isolated = '**/*.isolated.test.ts'
const rest = [
  'packages/connector/src/**/*.test.ts',
  'packages/contract/src/**/*.test.ts',
  'packages/providers/src/**/*.test.ts',
  'packages/sdk/src/**/*.test.ts',
  'packages/testing/src/**/*.test.ts',
  'packages/cli/src/**/*.test.ts',
  'apps/demo/src/**/*.test.ts',
  'packages/{elements,react,opal-react,opal-react-native}/src/**/*.node.test.ts',
  'apps/{flow,console}/src/**/*.node.test.ts',
  'scripts/**/*.test.{mjs,ts}',
  'bench/*.test.mjs',
]

export default defineConfig({
  plugins: [mutationPlugin()],
  // Node also receives these conditions and applies them when one npm package requires another. Therefore, `import` and
  // `default` must not be listed.
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  test: {
    pool: 'forks',
    isolate: false,
    // With a connector, tests spend most of their time waiting, so run more of them at the same time.
    maxWorkers: connector ? 2 * cores : cores,
    // A misbehaving connector can be slow to respond.
    testTimeout: connector ? 120_000 : 20_000,
    hookTimeout: connector ? 120_000 : 30_000,
    // A busy machine can take longer than the default of one second.
    expect: { poll: { timeout: connector ? 60_000 : 10_000 } },
    restoreMocks: true,
    // After the first run, Vitest reads transformed modules from disk, which takes only a third as long.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: 'api',
          include: ['apps/api/src/**/*.test.ts'],
          exclude: storeless,
          globalSetup: [
            'apps/api/src/testing/connector/connector-setup.ts',
            'apps/api/src/testing/store/store-setup.ts',
            'apps/api/src/testing/queries/query-count-setup.ts',
          ],
          setupFiles: ['apps/api/src/testing/queries/query-guard-setup.ts', 'apps/api/src/testing/cleanup-setup.ts'],
        },
      },
      { extends: true, test: { name: 'rest', include: [...rest, ...storeless], exclude: [isolated] } },
      { extends: true, test: { name: 'isolated', include: [isolated], isolate: true } },
      // The next two projects require a browser.
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
