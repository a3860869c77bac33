import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { pureFiles } from './pure-files.mjs'

/** The tests of the pure files, without the stores, connectors and browsers of the other tests. */
export default defineConfig({
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  test: { include: pureFiles.map(file => file.replace(/\.ts$/, '.test.ts')), testTimeout: 20_000 },
})
