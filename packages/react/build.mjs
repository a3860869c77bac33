/** Measures the package, after `tsc -b` has built its modules. */
import { fileURLToPath } from 'node:url'
import { measureReact } from '../../scripts/build/measure-react.mjs'

await measureReact(fileURLToPath(new URL('.', import.meta.url)), 'react')
