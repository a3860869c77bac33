/** One configuration for the build and for the page that shows every screen. */
export default {
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  resolve: { conditions: ['source', 'module', 'browser', 'development|production', 'import', 'default'] },
  build: {
    outDir: 'dist',
    // tsc keeps its declarations in the same folder; build.mjs clears what is ours.
    emptyOutDir: false,
    target: 'es2022',
    // The preload polyfill would be an inline script; every browser that runs this app has modulepreload.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
}
