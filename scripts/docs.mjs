/** Compiles and runs the code in the docs, checks their links and tests the site made from them, and tests our packages with customers' frameworks. Needs Chromium. */
import { runVitest } from './vitest.mjs'

if (!(await runVitest('docs', ['--project', 'docs', '--project', 'frameworks', ...process.argv.slice(2)])))
  process.exitCode = 1
