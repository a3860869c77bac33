/** Sends plain HTTP requests to a service on this machine. Reports connection errors the way a client sees them. */
import { Agent, request } from 'node:http'
import { canary } from './leaks.mjs'

/** Opens a new connection for each request, because the service might close an idle connection just as it is reused. */
const agent = new Agent({ keepAlive: false })
const RESPONSE_TIMEOUT_MS = 120_000

/**
 * Returns `{ status, headers, text, json }`. Rejects if no complete response arrived. In that case, the service may or
 * may not have executed the request, and the caller must determine which.
 */
export function call(origin, method, path, { body, headers = {}, key, patience = RESPONSE_TIMEOUT_MS } = {}) {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  canary.read(text)
  canary.read(key ?? '')
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}${path}`,
      {
        method,
        agent,
        headers: {
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
          ...headers,
        },
      },
      response => {
        const parts = []
        response.on('data', part => parts.push(part))
        response.on('error', reject)
        response.on('aborted', () => reject(new Error('The response was cut off.')))
        response.on('end', () => {
          const answer = Buffer.concat(parts).toString('utf8')
          canary.read(answer)
          const isJson = /json/.test(response.headers['content-type'] ?? '')
          resolve({
            status: response.statusCode,
            headers: response.headers,
            text: answer,
            json: isJson ? JSON.parse(answer) : null,
          })
        })
      },
    )
    sent.setTimeout(patience, () =>
      sent.destroy(Object.assign(new Error(`No response within ${patience / 1000} s.`), { code: 'ETIMEDOUT' })),
    )
    sent.on('error', reject)
    sent.end(text)
  })
}
