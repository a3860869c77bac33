/** The build of the console and its play page use the same configuration. */
import { defineConfig, mergeConfig } from 'vite'
import shared from '../../vite.config.ts'

export default defineConfig(environment =>
  mergeConfig(shared(environment), {
    root: import.meta.dirname,
    base: '/',
    build: {
      outDir: 'dist',
      // The preload polyfill would be an inline script; every browser that runs this app has modulepreload.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  }),
)
