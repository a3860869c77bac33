/**
 * The settings shared by all bundles in the repository. Each build passes this file as `configFile` and adds its own
 * settings. The frame's app also has a development server and extends this file in `apps/flow/vite.config.ts`. Vitest
 * uses `vitest.config.ts` instead.
 */
import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from 'vite'

/**
 * Adds a comment to the beginning of a page's script. The comment makes V8 compile the entire script while it
 * downloads, because nearly all of the script runs immediately. The bundler's banner option can't do this, because Vite
 * would insert other text before the banner.
 */
const compileAhead: Plugin = {
  name: 'compile-ahead',
  apply: ({ build }, { command }) => command === 'build' && build?.write !== false,
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        // Skips scripts that are embedded in a page, because they are not downloaded separately.
        if (chunk.type !== 'chunk' || !chunk.isEntry || chunk.fileName === 'early.js') continue
        chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
        const map = bundle[`${chunk.fileName}.map`]
        // In a source map, `;` ends a line.
        if (map?.type === 'asset') map.source = String(map.source).replace('"mappings":"', '"mappings":";')
      }
    },
  },
}

export default defineConfig(({ command, isSsrBuild = false }) => {
  // If the caller, such as a test runner, set a different NODE_ENV, the bundle would contain Lit's development build.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    logLevel: 'warn',
    publicDir: false,
    plugins: isSsrBuild ? [] : [compileAhead],
    // Packages in this repository are bundled from source, so a bundle is never older than its packages.
    resolve: { conditions: ['source', ...(isSsrBuild ? defaultServerConditions : defaultClientConditions)] },
    // Every dependency is an ES module already. Development servers that start together would replace each other's
    // prebundled copies.
    optimizeDeps: { noDiscovery: true },
    ssr: { noExternal: true, resolve: { conditions: ['source', ...defaultServerConditions] } },
    build: {
      target: 'es2022',
      minify: !isSsrBuild,
      // `tsc` writes to the same folders.
      emptyOutDir: false,
      reportCompressedSize: false,
    },
  }
})
