import { parseArgs } from 'node:util'
import { ConfigError } from '../platform/config-error.js'
import { exampleFlags, runExample } from './connector/example.js'
import { fail } from './process.js'

/**
 * The entry point of a connector: with `--providers`, a process that serves providers; otherwise, the example connector,
 * which serves the sandbox.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    host: { type: 'string' },
    /** The providers to serve, such as `twilio,increase`. */
    providers: { type: 'string' },
    /** Checks the providers and the service instead of serving. */
    check: { type: 'boolean', default: false },
    ...exampleFlags,
  },
})
const { port, host, providers, check } = values

try {
  if (providers === undefined) {
    if (check) throw new ConfigError('--check requires --providers.')
    await runExample(process.env, { ...values, port: Number(port ?? '4600'), host: host ?? '127.0.0.1' })
  } else {
    // Loaded only here, because the example needs no store.
    const { serveProviders } = await import('./connector/serve.js')
    const flags = { PROVIDERS: providers, ...(port && { PORT: port }), ...(host && { HOST: host }) }
    await serveProviders({ ...process.env, ...flags }, check)
  }
} catch (error) {
  fail('connector', error)
}
