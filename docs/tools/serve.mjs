/** Serves the built site on the loopback interface and forwards requests from the reference to a sandbox. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { createSandboxProxy } from './sandbox.mjs'

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
}
/** Matches files whose names change with their content. */
const lasting = /^\/assets\/|^\/reference\/scalar-/

const brotli = body => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })

const REFERENCE = '/reference/openapi.json'

/** Adapts the OpenAPI document to this server, which adds the key when it forwards requests to the sandbox. */
function describe(text, origin) {
  const document = JSON.parse(text)
  document.servers = [{ url: origin, description: 'The sandbox' }]
  document.components.securitySchemes.secretKey.description +=
    ' On this page, leave the key empty: the documentation server adds its sandbox key.'
  return JSON.stringify(document)
}

/**
 * Caches each file in every encoding that clients request. A file is compressed the first time it is requested in an
 * encoding.
 */
function createStore(folder, origin) {
  const made = new Map()
  return (path, encodings) => {
    const type = types[extname(path)]
    const text = type?.includes('charset')
    const encoding = text ? ['br', 'gzip'].find(each => encodings.includes(each)) : undefined
    const key = `${encoding ?? ''} ${path}`
    if (!made.has(key)) {
      const file = readFileSync(join(folder, path))
      const body = path === REFERENCE ? Buffer.from(describe(file, origin)) : file
      const packed = encoding === 'br' ? brotli(body) : encoding === 'gzip' ? gzipSync(body) : body
      made.set(key, {
        body: packed,
        encoding,
        type,
        etag: `"${createHash('sha256').update(packed).digest('base64url')}"`,
      })
    }
    return made.get(key)
  }
}

/** Returns the file for a URL; null if there is no such file. */
function fileOf(folder, url) {
  let path
  try {
    path = normalize(decodeURIComponent(url.split('?')[0])).replaceAll(sep, '/')
  } catch {
    return null
  }
  if (!path.startsWith('/') || path.includes('\0')) return null
  return (
    [path.endsWith('/') ? `${path}index.html` : path, `${path}.html`].find(each => {
      const file = join(folder, each)
      return types[extname(each)] && existsSync(file) && statSync(file).isFile()
    }) ?? null
  )
}

/**
 * @param folder the folder of the built site
 * @param sandbox the origin of a service, and a function that returns the keys to try
 */
export function createSite({ folder, sandbox }) {
  const find = createStore(folder, sandbox.origin)
  const document = JSON.parse(readFileSync(join(folder, REFERENCE), 'utf8'))
  const proxy = createSandboxProxy({ ...sandbox, document })
  const server = createServer((request, response) => {
    const { port } = server.address()
    const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
    if (/^\/sandbox(?:\?|$)/.test(request.url)) return proxy(request, response, origins)
    if (!['GET', 'HEAD'].includes(request.method)) return response.writeHead(405).end()
    const path = fileOf(folder, request.url)
    const { body, encoding, type, etag } = find(path ?? '/404.html', request.headers['accept-encoding'] ?? '')
    const fresh = request.headers['if-none-match'] === etag
    response.writeHead(path === null ? 404 : fresh ? 304 : 200, {
      'content-type': type,
      'cache-control': lasting.test(path ?? '') ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag,
      vary: 'Accept-Encoding',
      ...(encoding && { 'content-encoding': encoding }),
      'content-security-policy': "frame-ancestors 'none'",
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    response.end(fresh || request.method === 'HEAD' ? undefined : body)
  })
  return server
}
