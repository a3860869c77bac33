/** Plain HTTP to a service on this machine: what a client sees, connection errors included. */
import { Agent, request } from 'node:http'
import { canary } from './leaks.mjs'

/** A connection for each request: one that is kept may be closed by the service at the moment of its next use. */
const agent = new Agent({ keepAlive: false })
const PATIENCE = 120_000

/**
 * `{ status, headers, text, json }`. Rejects where no whole answer came: the service may have carried the request out or
 * not, and that is for the caller to find out.
 */
export function call(origin, method, path, { body, headers = {}, key, patience = PATIENCE } = {}) {
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
        response.on('aborted', () => reject(new Error('The answer broke off.')))
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
      sent.destroy(Object.assign(new Error(`No answer within ${patience / 1000} s.`), { code: 'ETIMEDOUT' })),
    )
    sent.on('error', reject)
    sent.end(text)
  })
}
