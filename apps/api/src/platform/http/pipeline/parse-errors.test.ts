import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerUnparsed } from './parse-errors.js'

let server: Server
beforeAll(async () => {
  server = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
  answerUnparsed(server, { log: () => {}, origin: '' })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise(resolve => server.close(resolve)))

const POST = 'POST / HTTP/1.1\r\nHost: a\r\n'
const LENGTH = "The body's length must be in one header only"

/** Sends bytes to the server. Resolves to the entire response when the server closes the connection. */
const send = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8').on('data', part => (answer += part))
    socket.on('end', () => resolve(answer)).on('error', reject)
  })

it.each([
  [
    'an unknown Expect header',
    'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n',
    417,
    'The Expect header, if sent, must be',
  ],
  ['an unknown method', 'FROBNICATE / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'The method must be GET'],
  ['a message that is not HTTP', 'hello\r\n\r\n', 400, 'The method must be'],
  ['a space in a header name', `${POST}A b: c\r\n\r\n`, 400, 'Each header must be on one line'],
  ['a space after a header name', `${POST}Ab : c\r\n\r\n`, 400, 'a colon directly after it'],
  ['a folded header', `${POST}A: b\r\n c\r\n\r\n`, 400, 'Each header must be on one line'],
  ['a control character in a header', `${POST}A: b\x01c\r\n\r\n`, 400, 'a value without control characters'],
  ['a carriage return in a header', `${POST}A: b\rc\r\n\r\n`, 400, 'Each header must be on one line'],
  ['two lengths', `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400, LENGTH],
  ['a length that is not a number', `${POST}Content-Length: x\r\n\r\n`, 400, LENGTH],
  ['a length and chunks', `${POST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400, LENGTH],
  ['chunks and a length', `${POST}Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n`, 400, LENGTH],
  ['another transfer encoding', `${POST}Transfer-Encoding: gzip\r\n\r\nab`, 400, LENGTH],
  [
    'a chunk without a size',
    `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    400,
    'Each chunk of the body must begin',
  ],
  ['a path that is not encoded', 'GET /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'Percent-encode other characters'],
  ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'a path without spaces'],
  ['another version of HTTP', 'GET / HTTP/3.0\r\nHost: a\r\n\r\n', 400, 'The first line must be'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'The first line must be'],
])('%s is rejected with a body and a Request-Id', async (_name, bytes, status, message) => {
  const text = await send(bytes)
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(text).toMatch(/\r\nRequest-Id: req_\w{20}\r\n/i)
  const { error } = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as { error: Record<string, unknown> }
  expect(error).toMatchObject({ type: 'INVALID_REQUEST', code: status, sub_type: 'INVALID_REQUEST' })
  expect(error['message']).toContain(message)
})

it('an ordinary request is handled as before', async () => {
  expect(await send('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toContain('200 OK')
})
