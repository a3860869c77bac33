/**
 * The steps of a full check, in a single table. `scripts/verify.mjs` runs them and compares each with its budget.
 *   plans     the commands that run the step: `test`, `test:all` (`pnpm test --all`), `verify`, `verify:all`, `simulate`
 *   budget    the maximum number of seconds on two otherwise idle cores; a step over its budget is reported
 *   measured  the number of seconds that it took there when last measured, from a clean clone
 *   env       additional environment variables of the command
 *   browser   the browser that the step requires; `test:all` skips the step if it does not find this browser
 */
const node = (...args) => [process.execPath, ...args]
const step = (title, command, plans, budget, measured, more = {}) => ({
  title,
  command,
  plans: plans.split(' '),
  budget,
  measured,
  ...more,
})
const chromium = { browser: 'chromium' }

export const steps = [
  step('Build every package and bundle', ['pnpm', 'build'], 'test test:all verify verify:all simulate', 30, 17),
  step('Check style', ['pnpm', 'exec', 'biome', 'ci', '--colors=off', '.'], 'verify verify:all', 10, 2),
  step('Check the guards', node('scripts/check/guard.mjs'), 'verify verify:all', 30, 17),
  step(
    'Run the Node tests on SQLite',
    node('scripts/test/unit.mjs', 'sqlite'),
    'test test:all verify verify:all',
    140,
    143,
  ),
  step(
    'Run the api tests on PostgreSQL',
    node('scripts/test/unit.mjs', 'postgres'),
    'test:all verify verify:all',
    230,
    258,
  ),
  step(
    'Run the money and people tests with a failing connector',
    node(
      'scripts/test/connector.mjs',
      'apps/api/src/network/connectors',
      'apps/api/src/money/lifecycle',
      'apps/api/src/money/payments',
      'apps/api/src/people/entities',
    ),
    'verify',
    70,
    44,
  ),
  step('Run the api tests with a failing connector', node('scripts/test/connector.mjs'), 'verify:all', 300, null),
  step(
    'Compile and run the code in the docs',
    node('scripts/docs/docs.mjs'),
    'test:all verify verify:all',
    100,
    63,
    chromium,
  ),
  step(
    'Run the component tests in Chromium',
    node('scripts/test/component.mjs', 'chromium'),
    'test:all verify',
    150,
    220,
    chromium,
  ),
  step('Run the component tests in three browsers', node('scripts/test/component.mjs'), 'verify:all', 500, 437),
  step('Run the end-to-end tests', ['pnpm', 'e2e', '--no-build'], 'test:all verify', 300, 330, chromium),
  step(
    'Run the end-to-end tests of people and payments through an upstream',
    ['pnpm', 'e2e', '--no-build', '--upstream'],
    'verify:all',
    300,
    null,
    chromium,
  ),
  step('Run the end-to-end tests and every axe sweep', ['pnpm', 'e2e', '--no-build', '--all'], 'verify:all', 500, null),
  step(
    'Run the main journeys in three browsers',
    node('scripts/test/journeys.mjs', '--quick'),
    'test:all verify',
    130,
    null,
  ),
  step('Run every journey in three browsers', node('scripts/test/journeys.mjs'), 'verify:all', 250, null),
  step('Follow the quick start', node('scripts/test/quick-start.mjs'), 'verify verify:all', 30, 8),
  step('Pass every product through two services in a chain', node('scripts/chain/run.mjs'), 'verify', 30, null),
  step(
    'Pass every product and payment through two services in a chain',
    node('scripts/chain/run.mjs', '--all'),
    'verify:all',
    90,
    null,
  ),
  step('Run the short fault tests on both engines', node('scripts/torture/torture.mjs', '--quick'), 'verify', 170, 126),
  step(
    'Simulate faults with 16 seeds',
    node('scripts/simulate/simulate.mjs', '--seeds', '1-16'),
    'verify verify:all',
    100,
    null,
  ),
  step(
    'Simulate faults with 2,000 new seeds',
    node('scripts/simulate/simulate.mjs', '--new', '2000'),
    'simulate',
    15_000,
    null,
  ),
  step('Run the long fault tests on both engines', node('scripts/torture/torture.mjs'), 'verify:all', 3_300, null),
  step(
    'Fail over a PostgreSQL cluster',
    node('scripts/torture/torture.mjs', '--ha', '--quick'),
    'verify:all',
    420,
    null,
  ),
  step(
    'Kill the mutations affected by the change',
    node('scripts/test/mutations/mutate.mjs', '--changed', '--most', '60'),
    'verify',
    220,
    66,
  ),
  step('Kill every mutation', node('scripts/test/mutations/mutate.mjs', '--all'), 'verify:all', 400, null),
  step(
    'Mutate every expression of the pure files',
    ['pnpm', 'exec', 'stryker', 'run', 'scripts/test/stryker/stryker.config.mjs'],
    'verify:all',
    1_500,
    null,
  ),
  step('Send 20,000 generated requests', node('scripts/test/fuzz.mjs'), 'verify:all', 120, null),
  step(
    'Pay once for each of 10,000 distorted sequences on both engines',
    node('scripts/test/unit.mjs', 'apps/api/src/money/lifecycle/transport-accidents.test.ts'),
    'verify:all',
    420,
    231,
    { env: { ACCIDENT_RUNS: '10000' } },
  ),
  step('Measure the pauses that hostile requests cause', node('bench/pauses.mjs'), 'verify:all', 90, 67),
  step('Install the packages in empty projects', node('scripts/test/packs.mjs'), 'verify:all', 300, null, chromium),
  step('Run the Node tests on the latest Node.js', node('scripts/test/latest-node.mjs'), 'verify:all', 200, null),
]
