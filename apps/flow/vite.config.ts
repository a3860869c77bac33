/** Configures the build of the app and the gallery. */
import { defineConfig, mergeConfig } from 'vite'
import shared from '../../vite.config.ts'

export default defineConfig(environment =>
  mergeConfig(shared(environment), {
    root: import.meta.dirname,
    base: '/',
    build: {
      outDir: 'dist',
      // The polyfill would be an inline script. Every browser that the app runs in supports `modulepreload`.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // The first screen's script lists the later chunks, so their names count toward its size.
      rollupOptions: { output: { chunkFileNames: 'assets/[hash].js' } },
    },
  }),
)
