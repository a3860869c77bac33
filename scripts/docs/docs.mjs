/**
 * Compiles and runs the code in the docs, checks the links, tests the site built from the docs, and tests our packages
 * with the frameworks that customers use. Requires Chromium.
 */
import { runVitest } from '../test/vitest.mjs'

if (!(await runVitest('docs', ['--project', 'docs', '--project', 'frameworks', ...process.argv.slice(2)])))
  process.exitCode = 1
