/**
 * The settings that every bundle of the repository shares. A build passes this file as `configFile` and adds its own settings;
 * the frame's app, which also has a development server, extends it in `apps/flow/vite.config.ts`. Vitest reads `vitest.config.ts`
 * instead.
 */
import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from 'vite'

/**
 * Starts a page's script with the comment by which V8 compiles the script while it downloads, because nearly all of it runs
 * at once. A banner of the bundler would come after what Vite writes first.
 */
const compileAhead: Plugin = {
  name: 'compile-ahead',
  apply: ({ build }, { command }) => command === 'build' && build?.write !== false,
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isEntry) continue
        chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
        const map = bundle[`${chunk.fileName}.map`]
        // In a source map, `;` ends a line.
        if (map?.type === 'asset') map.source = String(map.source).replace('"mappings":"', '"mappings":";')
      }
    },
  },
}

export default defineConfig(({ command, isSsrBuild = false }) => {
  // A caller's NODE_ENV, such as the test runner's, would put the development build of Lit into a bundle.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    logLevel: 'warn',
    publicDir: false,
    plugins: isSsrBuild ? [] : [compileAhead],
    // Packages of this repository are bundled from their sources, so a bundle is never older than they are.
    resolve: { conditions: ['source', ...(isSsrBuild ? defaultServerConditions : defaultClientConditions)] },
    ssr: { noExternal: true, resolve: { conditions: ['source', ...defaultServerConditions] } },
    build: {
      target: 'es2022',
      minify: !isSsrBuild,
      // `tsc` writes into the same folders.
      emptyOutDir: false,
      reportCompressedSize: false,
    },
  }
})
