/**
 * `pnpm guides`: builds the site of the documentation into docs/dist and serves it.
 *   node scripts/docs-site.mjs                builds and serves on DOCS_PORT, else 4500
 *   node scripts/docs-site.mjs --build OUT    builds into a folder, for any static server
 */
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { buildSite, serveSite, writeSite } from '../docs/tools/site.mjs'

const build = process.argv.indexOf('--build')
const out = build > 0 ? process.argv[build + 1] : fileURLToPath(new URL('../docs/dist', import.meta.url))
const site = buildSite()
writeSite(site, out)
console.log(`${site.size} files in ${out}`)
if (build < 0) {
  const port = Number(process.env.DOCS_PORT ?? 4500)
  const server = createServer(serveSite(site))
  server.on('error', error => {
    console.error(error.code === 'EADDRINUSE' ? `Port ${port} is taken. Set DOCS_PORT to another one.` : error)
    process.exitCode = 1
  })
  server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
}
