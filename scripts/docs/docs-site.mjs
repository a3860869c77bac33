/**
 * `pnpm docs:site`: builds the documentation site into docs/dist and serves it on the loopback interface.
 *   node scripts/docs/docs-site.mjs                builds and serves on DOCS_PORT (default: 4500)
 *   node scripts/docs/docs-site.mjs --no-build     serves the existing build of the site
 *   node scripts/docs/docs-site.mjs --build OUT    builds into a folder, for any static server
 * The reference page sends its requests to the sandbox at CAUSEWAY_URL (default: port 4000), with CAUSEWAY_KEY or, if
 * it is not set, the key in `data`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSite } from '../../docs/tools/build.mjs'
import { createSite } from '../../docs/tools/serve.mjs'

const at = path => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const build = process.argv.indexOf('--build')
const out = build > 0 ? resolve(process.argv[build + 1]) : at('docs/dist')
// VitePress resolves its modules from the working directory.
process.chdir(at(''))

/**
 * The keys that the service and `pnpm start` write on their first run. The keys may not exist yet, so the files are
 * read for each request.
 */
const keys = () =>
  process.env.CAUSEWAY_KEY
    ? [process.env.CAUSEWAY_KEY]
    : ['data/demo.key', 'data/bootstrap.key']
        .map(at)
        .filter(file => existsSync(file))
        .map(file => readFileSync(file, 'utf8').trim())

if (!process.argv.includes('--no-build')) await buildSite(out)
if (!existsSync(join(out, 'index.html'))) {
  console.error('The site is not built. Run pnpm docs:site.')
  process.exit(1)
}
if (build < 0) {
  const port = Number(process.env.DOCS_PORT ?? 4500)
  const origin = new URL(process.env.CAUSEWAY_URL ?? 'http://127.0.0.1:4000').origin
  const server = createSite({ folder: out, sandbox: { origin, keys } })
  server.on('error', error => {
    console.error(error.code === 'EADDRINUSE' ? `Port ${port} is in use. Set DOCS_PORT to another port.` : error)
    process.exitCode = 1
  })
  server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
}
