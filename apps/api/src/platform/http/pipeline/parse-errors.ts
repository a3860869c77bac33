import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@causeway/contract/errors'
import { createRequestId } from '../../crypto/random.js'
import type { Log } from '../../log.js'
import type { Metrics } from '../../metrics.js'
import { safeHeaders } from '../response/headers.js'
import { isEnveloped } from './mount.js'

const METHODS = 'The method must be GET, POST, PUT, PATCH or DELETE.'

const FIRST_LINE = 'The first line must be a method, a path without spaces, and HTTP/1.1, and end with CRLF.'
const HEADERS =
  'Each header must be on one line that ends with CRLF: a name of letters, digits and dashes, a colon directly after it, and a value without control characters.'
const LENGTH =
  "The body's length must be in one header only: either one Content-Length, in digits, or one Transfer-Encoding: chunked."
const CHUNKS = 'Each chunk of the body must begin with its size in hexadecimal digits and CRLF, and end with CRLF.'

/**
 * Maps error codes to the responses for requests that node:http rejects during parsing. Any other error means that the
 * request is malformed.
 */
const faults: Readonly<Record<string, [status: number, message: string]>> = {
  HPE_INVALID_METHOD: [400, METHODS],
  HPE_INVALID_URL: [
    400,
    'The path and query must contain only visible ASCII characters. Percent-encode other characters as UTF-8, and spaces as %20.',
  ],
  HPE_INVALID_VERSION: [400, FIRST_LINE],
  HPE_INVALID_CONSTANT: [400, FIRST_LINE],
  HPE_PAUSED_H2_UPGRADE: [400, FIRST_LINE],
  HPE_INVALID_HEADER_TOKEN: [400, HEADERS],
  HPE_LF_EXPECTED: [400, HEADERS],
  HPE_CR_EXPECTED: [400, HEADERS],
  HPE_INVALID_CONTENT_LENGTH: [400, LENGTH],
  HPE_UNEXPECTED_CONTENT_LENGTH: [400, LENGTH],
  HPE_INVALID_TRANSFER_ENCODING: [400, LENGTH],
  HPE_INVALID_CHUNK_SIZE: [400, CHUNKS],
  HPE_STRICT: [400, CHUNKS],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large. Send chunks without extensions.'],
  HPE_INVALID_EOF_STATE: [400, 'The connection closed before the whole request arrived. Send it again.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large. Send fewer or shorter headers.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}
const malformed: [number, string] = [400, 'The request must be a valid HTTP/1.1 message.']

/** The time, in ms, that a client has to read a response before its connection is closed. */
export const LINGER_MS = 500

/** A listener's log and metrics, and the origin under which clients reach it, if one is configured. */
export interface Listener {
  readonly log: Log
  readonly metrics?: Pick<Metrics, 'request'> | undefined
  readonly origin: string
}

/** The method and route of a request that no handler sees, in logs and metrics. */
const UNREAD = { method: '-', route: '-' }

/** Creates, logs and counts the response to a request that no handler sees. */
function reject({ log, metrics, origin }: Listener, status: number, message: string, enveloped = false) {
  const subType = status < 500 ? 'INVALID_REQUEST' : status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR'
  const error = { ...new ServiceError(subType, message).body(), code: status }
  const body = JSON.stringify(enveloped ? { success: false, data: { error }, message } : { error })
  const id = createRequestId(Date.now())
  metrics?.request({ ...UNREAD, status, ms: 0 })
  log('info', 'request', { request_id: id, ...UNREAD, status, sub_type: error.sub_type })
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    ...safeHeaders(origin),
    'Content-Length': String(Buffer.byteLength(body)),
    'Request-Id': id,
    'idem-request-id': id,
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
  return { body, headers }
}

/** Returns the response to a request that is rejected before any handler runs. Closes the connection. */
export function answerRejected(listener: Listener, status: number, message: string, request?: Request): Response {
  const { body, headers } = reject(listener, status, message, request && isEnveloped(request))
  return new Response(body, { status, headers })
}

/** Formats node:http's rejections like all other errors, with a body and a Request-Id. */
export function answerUnparsed(server: Server, listener: Listener): void {
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const { body, headers } = reject(listener, 417, 'The Expect header, if sent, must be 100-continue.')
    response.writeHead(417, headers).end(body)
  })
  const end = (socket: Duplex, [status, message]: readonly [number, string]) => {
    const { body, headers } = reject(listener, status, message)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    // A client that never closes its side would keep the connection open.
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
  server.on('connect', (_request, socket: Duplex) => end(socket, [400, METHODS]))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    end(socket, faults[error.code ?? ''] ?? malformed)
  })
}
