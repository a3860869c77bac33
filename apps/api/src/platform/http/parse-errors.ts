import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceError } from '@causeway/contract/errors'
import { createRequestId } from '../crypto/random.js'
import { safeHeaders } from './headers.js'
import { isEnveloped } from './mount.js'

/**
 * Maps error codes to the responses for requests that node:http rejects during parsing. Any other error means that the
 * request is malformed.
 */
const faults: Readonly<Record<string, [status: number, message: string]>> = {
  HPE_INVALID_METHOD: [400, 'The method must be GET, POST, PUT, PATCH or DELETE.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large. Send fewer or shorter headers.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}
const malformed: [number, string] = [400, 'The request must be HTTP/1.1.']

function answer(status: number, message: string, enveloped = false): { body: string; headers: Record<string, string> } {
  const error = { ...new ServiceError('INVALID_REQUEST', message).body(), code: status }
  const body = JSON.stringify(enveloped ? { success: false, data: { error }, message } : { error })
  const id = createRequestId(Date.now())
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      ...safeHeaders(''),
      'Content-Length': String(Buffer.byteLength(body)),
      'Request-Id': id,
      'idem-request-id': id,
      'Cache-Control': 'no-store',
      Connection: 'close',
    },
  }
}

/** Returns the response to a request whose headers are rejected before any handler runs. Closes the connection. */
export function answerRejected(request: Request, message: string): Response {
  const { body, headers } = answer(400, message, isEnveloped(request))
  return new Response(body, { status: 400, headers })
}

/** Formats node:http's rejections like all other errors, with a body and a Request-Id. */
export function answerUnparsed(server: Server): void {
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const { body, headers } = answer(417, 'The Expect header, if sent, must be 100-continue.')
    response.writeHead(417, headers).end(body)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, message] = faults[error.code ?? ''] ?? malformed
    const { body, headers } = answer(status, message)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  })
}
