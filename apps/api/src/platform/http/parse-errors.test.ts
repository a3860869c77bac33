import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerUnparsed } from './parse-errors.js'

let server: Server
beforeAll(async () => {
  server = createServer((_request, response) => response.end('{}'))
  answerUnparsed(server, { log: () => {}, origin: '' })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise(resolve => server.close(resolve)))

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
  ['a message that is not HTTP', 'hello\r\n\r\n', 400, 'The'],
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
