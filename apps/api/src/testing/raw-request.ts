/** Test helper that sends requests over a socket, with headers exactly as listed. */
import { request } from 'node:http'
import { closeListener, type Fetch, listen, portOf } from '../main/listeners/listen.js'
import type { TestService } from './service.js'

export interface RawReply {
  status: number
  text: string
  /** The parsed body; undefined if it isn't JSON. */
  body: never
  headers: Record<string, string | undefined>
}

export interface RawRequest {
  method?: string
  /** Header lines, as `Name: value` with one space. Each character is one byte. */
  lines?: readonly string[]
  body?: string | Uint8Array
}

/** Sends one request over a connection of its own. Sends no header that isn't listed, apart from the body's length. */
export function sendRaw(port: number, path: string, { method = 'POST', lines = [], body = '' }: RawRequest = {}) {
  const headers = ['Host: 127.0.0.1', `Content-Length: ${Buffer.byteLength(body)}`, ...lines].flatMap(line => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 2)]
  })
  return new Promise<RawReply>((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, incoming => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', part => {
        text += part
      })
      incoming.on('error', reject)
      incoming.on('end', () => {
        const isJson = /json/.test(incoming.headers['content-type'] ?? '')
        resolve({
          status: incoming.statusCode!,
          text,
          body: (isJson ? JSON.parse(text) : undefined) as never,
          headers: incoming.headers as Record<string, string | undefined>,
        })
      })
    })
    outgoing.on('error', reject)
    // A string would be sent together with the headers, and in its own encoding.
    outgoing.end(Buffer.from(body))
  })
}

/** Opens a listener for a handler, on a free port. */
export async function openListener(fetch: Fetch) {
  const server = await listen(fetch, '127.0.0.1', 0)
  return { port: portOf(server), close: () => closeListener(server) }
}

/** Opens the API's listener. `post` sends JSON with the team's key, and further header lines. */
export async function openApi(service: TestService) {
  const listener = await openListener((request, env) => service.app.api.fetch(request, env))
  const authorization = `Authorization: Bearer ${service.key}`
  return {
    ...listener,
    post: (path: string, body: unknown, lines: readonly string[] = []) =>
      sendRaw(listener.port, path, {
        lines: [authorization, 'Content-Type: application/json', ...lines],
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
  }
}

/** Returns text as the bytes of its UTF-8, each byte as one character. */
export const asBytes = (text: string): string => Buffer.from(text).toString('latin1')
