/** The requests that reach each listener's handlers, to which hostile parts are added. */

const json = 'Content-Type: application/json'

/**
 * @returns `{ listener, port, name, method, path, lines, body }` of each request
 */
export function baseRequests({ ports, key, cookie, consoleOrigin, frameOrigin, token }) {
  const bearer = `Authorization: Bearer ${key}`
  const own = [`Cookie: ${cookie}`, `Origin: ${consoleOrigin}`, 'Sec-Fetch-Site: same-origin']
  const rows = [
    ['API', 'api', 'GET', '/team', [bearer]],
    ['API', 'api', 'GET', '/ping', []],
    ['API', 'api', 'POST', '/entities', [bearer, json], '{}'],
    ['API', 'api', 'POST', '/enveloped/entities', [bearer, json], '{}'],
    ['pushes', 'api', 'POST', '/connector/pushes', [json], '{}'],
    ['frame', 'frame', 'GET', `/e/${token.slice(8, 24)}`, []],
    ['frame', 'frame', 'GET', '/s', [`Authorization: Bearer ${'x'.repeat(43)}`]],
    ['frame', 'frame', 'POST', '/s/redeem', [json, `Origin: ${frameOrigin}`], '{}'],
    ['frame', 'frame', 'GET', '/v1/kit.js', []],
    ['console', 'console', 'GET', '/api/team', own],
    ['console', 'console', 'POST', '/api/session', [json, ...own], '{}'],
    ['console', 'console', 'POST', '/api/entities', [json, 'Idempotency-Key: bench', ...own], '{}'],
    ['console', 'console', 'GET', '/', []],
    ['operations', 'ops', 'GET', '/livez', []],
    ['operations', 'ops', 'GET', '/metrics', []],
  ]
  return rows.map(([listener, port, method, path, lines, body]) => ({
    listener,
    port: ports[port],
    name: `${method} ${path}`,
    method,
    path,
    lines,
    body,
  }))
}

/** Returns a request with one more header, in place of any that it has by that name. */
export const withHeader = (request, name, value) => ({
  ...request,
  lines: [
    ...request.lines.filter(line => !line.toLowerCase().startsWith(`${name.toLowerCase()}:`)),
    `${name}: ${value}`,
  ],
})

/** The headers that the service, a framework or Node.js reads. */
export const headerNames = [
  'Authorization',
  'Cookie',
  'Content-Type',
  'Content-Encoding',
  'Idempotency-Key',
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Origin',
  'Forwarded',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'Service-Version',
  'Service-MLE',
  'Method-MLE',
  'Method-Version',
  'Sec-Fetch-Site',
  'Sec-CH-UA',
  'Connector-Signature',
  'Range',
  'If-None-Match',
  'Referer',
]
