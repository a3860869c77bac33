/** Configures the console's build and its play page. */
import { defineConfig, mergeConfig } from 'vite'
import shared from '../../vite.config.ts'

export default defineConfig(environment =>
  mergeConfig(shared(environment), {
    root: import.meta.dirname,
    base: '/',
    build: {
      outDir: 'dist',
      // The polyfill would be an inline script, which the content security policy blocks. All browsers that this app
      // supports have modulepreload.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  }),
)
