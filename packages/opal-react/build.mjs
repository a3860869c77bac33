/**
 * Builds `dist/page.js`: the package with the kit, in one module for a page's import map. The page provides React. Then
 * measures the package, after `tsc -b` has built its modules.
 */
import { fileURLToPath } from 'node:url'
import { bundleKit } from '../../scripts/build/bundle-kit.mjs'
import { measureReact } from '../../scripts/build/measure-react.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
await bundleKit({ root, entry: 'src/index.ts', format: 'es', fileName: 'page.js', external: ['react'] })
await measureReact(root, 'opal_react', { opal_react_page: 'page.js' })
