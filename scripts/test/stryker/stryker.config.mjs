/** Configures StrykerJS, which `verify:all` runs: `pnpm exec stryker run scripts/test/stryker/stryker.config.mjs`. */
import { pureFiles } from './pure-files.mjs'

export default {
  mutate: pureFiles,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/test/stryker/vitest.config.ts' },
  // A mutant that runs only while a module loads needs a process of its own.
  ignoreStatic: true,
  // Messages are not rules.
  mutator: { excludedMutations: ['StringLiteral'] },
  // Names no file, because StrykerJS would read it with TypeScript's JavaScript API, which TypeScript 7 does not have.
  tsconfigFile: 'none',
  ignorePatterns: ['/docs', '/frameworks', '/e2e', '/bench', '/release', 'dist', '*.db'],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { logTests: false, allowColor: false },
  jsonReporter: { fileName: '.stryker-tmp/report.json' },
  allowEmpty: false,
  thresholds: { high: 95, low: 85, break: 80 },
}
