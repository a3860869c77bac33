/**
 * The compilers for the guides' snippets: the Vue, Svelte and Angular compilers, and TypeScript for the server
 * snippets.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { languages } from '../../docs/tools/compile.mjs'
import { root } from '../../docs/tools/pages.mjs'

/** A folder inside this one, so that snippets can resolve their frameworks. */
export const folder = fileURLToPath(new URL('tried', import.meta.url))
/** A separate folder, because each test file empties its own folder. */
export const serversFolder = fileURLToPath(new URL('tried-servers', import.meta.url))
const require = createRequire(import.meta.url)

export const frameworks = {
  vue: {
    options: {},
    command: [require.resolve('vue-tsc/bin/vue-tsc.js'), '-p', '.'],
  },
  svelte: {
    options: { verbatimModuleSyntax: true },
    command: [require.resolve('svelte-check/bin/svelte-check'), '--tsconfig', './tsconfig.json', '--output', 'machine'],
  },
  angular: {
    options: { noEmit: false, outDir: 'out', rootDir: root, isolatedModules: false },
    more: { angularCompilerOptions: { strictTemplates: true } },
    command: [
      join(dirname(require.resolve('@angular/compiler-cli/package.json')), 'bundles/src/bin/ngc.js'),
      '-p',
      '.',
    ],
  },
}

/** The compiler for the Express, Fastify and Next.js blocks. */
export const servers = { server: languages.typescript }
