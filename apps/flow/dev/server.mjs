/**
 * A server for developing the app without the service: `node dev/server.mjs [port]`.
 * - http://localhost:PORT/dev/gallery.html shows every screen in every state, using fixtures.
 * - http://127.0.0.1:PORT/dev/host.html embeds the built app (build it first) with the service's headers and a fake
 *   service that supports the whole flow.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createServer as createVite } from 'vite'

const port = Number(process.argv[2] ?? 4310)
const root = join(import.meta.dirname, '..')
const vite = await createVite({
  configFile: join(root, 'vite.config.ts'),
  appType: 'mpa',
  server: { middlewareMode: true, hmr: false, ws: false, host: true },
})
const { createFake } = await vite.ssrLoadModule('/dev/fake.ts')
let fake = createFake()

const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
].join('; ')

const read = async request => {
  let body = ''
  for await (const part of request) body += part
  return body ? JSON.parse(body) : null
}

const types = { js: 'text/javascript', css: 'text/css', map: 'application/json' }

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  if (pathname.startsWith('/e/')) {
    fake = createFake()
    const html = readFileSync(join(root, 'dist/index.html'), 'utf8').replace(
      'name="causeway-origins" content=""',
      'name="causeway-origins" content="loopback"',
    )
    response.writeHead(200, {
      'content-type': 'text/html',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    })
    response.end(html)
  } else if (pathname.startsWith('/assets/')) {
    response.writeHead(200, { 'content-type': types[pathname.split('.').at(-1)] ?? 'text/plain' })
    response.end(readFileSync(join(root, 'dist', pathname)))
  } else if (pathname === '/s' || pathname.startsWith('/s/')) {
    const { status, body } = fake(request.method, pathname, await read(request))
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_dev' })
    response.end(JSON.stringify(body))
  } else {
    vite.middlewares(request, response)
  }
}).listen(port, function () {
  const { port: open } = this.address()
  console.log(`http://localhost:${open}/dev/gallery.html  http://127.0.0.1:${open}/dev/host.html`)
})
