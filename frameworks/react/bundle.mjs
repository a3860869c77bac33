/**
 * Bundles a module in this folder and all its dependencies for one React version. A bundle is needed because the
 * libraries around the components must use the same copy of React, and because browsers cannot load CommonJS.
 */
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { installFrameworks } from '../install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The modules that stand in for React Native in a browser. */
const standIns = fileURLToPath(new URL('../../packages/opal-react-native/src/testing/', import.meta.url))

/**
 * @param version 18 or 19
 * @param name `scenes` for a browser, `server` for Node
 * @returns the bundle's code
 */
export async function bundleFor(version, name) {
  await installFrameworks()
  const ssr = name === 'server'
  const suffix = version === 18 ? '-18' : ''
  const { output } = await build({
    root,
    configFile: `${root}../vite.config.ts`,
    logLevel: 'error',
    mode: 'development',
    define: ssr ? {} : { 'process.env.NODE_ENV': '"development"' },
    resolve: {
      alias: [
        { find: /^react(-dom)?(?=\/|$)/, replacement: `${root}node_modules/react$1${suffix}` },
        { find: /^react-native(-webview)?$/, replacement: `${standIns}react-native$1.tsx` },
      ],
    },
    build: {
      ssr,
      write: false,
      minify: false,
      rollupOptions: {
        input: `${root}react/${name}.tsx`,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', codeSplitting: false },
      },
    },
  })
  return output[0].code
}
