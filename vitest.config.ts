import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { mutationFromEnvironment } from './scripts/mutation.mjs'

/**
 * Tests that run in Node. Component tests of `elements`, `react` and `flow` run in a browser under web-test-runner, so of
 * those only `*.node.test.ts` is taken here. The api tests are a project of their own, because they run once for each
 * database engine (`scripts/unit.mjs`).
 */
export default defineConfig({
  plugins: [mutationFromEnvironment()],
  // Node gets these conditions too, also where one npm package requires another: `import` and `default` must not be here.
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  test: {
    pool: 'forks',
    // With a connector tests wait more than they work.
    maxWorkers: process.env['TEST_CONNECTOR'] ? 4 : 2,
    // A connector that misbehaves takes its time.
    testTimeout: process.env['TEST_CONNECTOR'] ? 120_000 : 20_000,
    hookTimeout: process.env['TEST_CONNECTOR'] ? 120_000 : 30_000,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'api',
          include: ['apps/api/src/**/*.test.ts'],
          globalSetup: ['apps/api/src/testing/connector-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'rest',
          include: [
            'packages/contract/src/**/*.test.ts',
            'packages/sdk/src/**/*.test.ts',
            'packages/cli/src/**/*.test.ts',
            'apps/demo/src/**/*.test.ts',
            'packages/{elements,react}/src/**/*.node.test.ts',
            'apps/flow/src/**/*.node.test.ts',
            'scripts/**/*.test.{mjs,ts}',
            'docs/tools/*.test.mjs',
          ],
        },
      },
    ],
  },
})
