import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SLICE_MS, yieldToConnections } from '../../platform/event-loop.js'
import { readBytes } from '../../platform/http/request/body.js'
import { closeListener, connectionTimeouts, type Fetch, listen, portOf } from './listen.js'

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  if (server) await closeListener(server)
  server = undefined
})

/** Sends bytes over a new connection. @returns all text received before the connection closes */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(portOf(server!), '127.0.0.1')
  let text = ''
  socket.on('data', data => {
    text += data
  })
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

const echo: Fetch = async request => new Response(await readBytes(request).catch(error => `refused: ${error.message}`))
const quick = { ...connectionTimeouts, headersTimeout: 200, requestTimeout: 300, connectionsCheckingInterval: 50 }

describe('a listener', () => {
  it('ends requests whose headers or body never finish', async () => {
    server = await listen(echo, '127.0.0.1', 0, { timeouts: quick })
    expect(await exchange('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf')).toMatch(/^HTTP\/1\.1 408 /)
    expect(await exchange('POST / HTTP/1.1\r\nHost: a\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('waits 10 s for headers and 15 s for a request, and limits the number of connections', async () => {
    server = await listen(echo, '127.0.0.1', 0)
    expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 15_000, maxConnections: 4_000 })
    expect(connectionTimeouts.connectionsCheckingInterval).toBeLessThanOrEqual(1_000)
  })

  it('accepts waiting connections between two slices of work', async () => {
    server = await listen(() => new Response('here'), '127.0.0.1', 0)
    const clients = 200
    let answered = 0
    const arrived = (socket: Socket) => once(socket, 'data').then(() => (answered += 1))
    const sockets = Array.from({ length: clients }, () => connect(portOf(server!), '127.0.0.1'))
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const all = Promise.all(sockets.map(arrived))
    let slices = 0
    for (; answered < clients && slices < clients; slices += 1) {
      const until = performance.now() + SLICE_MS
      while (performance.now() < until);
      await yieldToConnections()
    }
    await all
    // Node.js accepts one connection per turn of the event loop.
    expect(slices).toBeLessThan(clients / 4)
    for (const socket of sockets) socket.destroy()
  })

  it('keeps idle connections open longer than load balancers do', async () => {
    server = await listen(echo, '127.0.0.1', 0)
    expect(server.keepAliveTimeout).toBe(65_000)
  })

  it('on closing, ends a keep-alive connection after the response in progress', async () => {
    const events = new EventEmitter()
    const asked = once(events, 'asked')
    server = await listen(
      async () => {
        events.emit('asked')
        await once(events, 'closing')
        return new Response('ok')
      },
      '127.0.0.1',
      0,
    )
    const client = connect(portOf(server), '127.0.0.1')
    let text = ''
    client.on('data', data => {
      text += data
    })
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await asked
    const ended = once(client, 'close')
    const closed = closeListener(server)
    events.emit('closing')
    await Promise.all([ended, closed])
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i)
  })

  it('closes without waiting for a connection whose response had already begun', async () => {
    const events = new EventEmitter()
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(new TextEncoder().encode('begun'))
        await once(events, 'closing')
        stream.close()
      },
    })
    server = await listen(async () => new Response(body), '127.0.0.1', 0)
    const client = connect(portOf(server), '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(client, 'data')
    const cut = vi.spyOn(server, 'closeAllConnections')
    const ended = once(client, 'close')
    const closed = closeListener(server)
    events.emit('closing')
    await Promise.all([ended, closed])
    expect(cut).not.toHaveBeenCalled()
  })

  it('never cuts off a response to a slow client, on closing or with too many connections', async () => {
    const size = 32 * 1024 * 1024
    server = await listen(async () => new Response(new Uint8Array(size)), '127.0.0.1', 0)
    const written = new Promise(resolve =>
      server!.once('request', (_incoming, outgoing) => outgoing.once('prefinish', resolve)),
    )
    const client = connect(portOf(server), '127.0.0.1')
    client.pause()
    client.on('error', () => {})
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await written
    server.closeIdleConnections()
    const closed = closeListener(server)
    let received = 0
    client.on('data', data => {
      received += data.length
    })
    client.resume()
    await Promise.all([once(client, 'close'), closed])
    expect(received).toBeGreaterThan(size)
  })

  it('closes idle connections, but none that is receiving a request', async () => {
    const events = new EventEmitter()
    server = await listen(async request => new Response(new URL(request.url).pathname), '127.0.0.1', 0)
    server.on('request', (_incoming, outgoing) => outgoing.once('finish', () => events.emit('answered')))
    const sockets: Socket[] = []
    server.on('connection', socket => sockets.push(socket))
    const visit = async () => {
      const client = connect(portOf(server!), '127.0.0.1')
      const answered = once(events, 'answered')
      const texts: string[] = []
      client.on('data', data => texts.push(String(data)))
      client.write('GET /one HTTP/1.1\r\nHost: a\r\n\r\n')
      await answered
      return { client, texts }
    }
    const idle = await visit()
    const busy = await visit()
    const before = sockets[1]!.bytesRead
    busy.client.write('GET /two HTTP/1.1\r\n')
    await vi.waitUntil(() => sockets[1]!.bytesRead > before)
    const ended = once(idle.client, 'close')
    const closed = closeListener(server)
    await ended
    busy.client.write('Host: a\r\n\r\n')
    await Promise.all([once(busy.client, 'close'), closed])
    expect(busy.texts.join('')).toMatch(/\/two$/)
    expect(idle.texts.join('')).toMatch(/\/one$/)
  })

  it('rejects a request with two Host headers', async () => {
    server = await listen(echo, '127.0.0.1', 0)
    const request = (hosts: string) => `GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`
    expect(await exchange(request('Host: a\r\nhOST: b\r\n'))).toMatch(/^HTTP\/1\.1 400 /)
    expect(await exchange(request('Host: a\r\nHost: a\r\n'))).toMatch(/^HTTP\/1\.1 400 /)
    expect(await exchange(request('Host: a\r\n'))).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('after rejecting a request, stops reading its body, delivers the response, and closes the connection', async () => {
    server = await listen(async () => new Response('refused', { status: 413 }), '127.0.0.1', 0)
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const client = connect(portOf(server), '127.0.0.1')
    let text = ''
    client.on('data', data => {
      text += data
    })
    // The server resets the connection while the client is still sending the body.
    client.on('error', () => {})
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n')
    client.write(Buffer.alloc(900_000, 0x20))
    const [socket] = await accepted
    await Promise.all([once(socket, 'close'), once(client, 'close')])
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*refused/i)
    // The size of one or two socket reads: 64 KiB each, or more in later versions of Node.js.
    expect(socket.bytesRead).toBeLessThanOrEqual(262_144)
  })

  it('keeps a connection open for more requests if the rejected body had already arrived', async () => {
    server = await listen(async () => new Response('refused', { status: 413 }), '127.0.0.1', 0)
    const request = (more: string) => `POST / HTTP/1.1\r\nHost: a\r\n${more}Content-Length: 4\r\n\r\nbody`
    const text = await exchange(request('') + request('Connection: close\r\n'))
    expect(text.match(/HTTP\/1\.1 413 /g)).toHaveLength(2)
  })
})

describe('a request that no handler sees', () => {
  const rejected = /^HTTP\/1\.1 400 [\s\S]*\r\nRequest-Id: req_\w{20}\r\n[\s\S]*"message":"/i
  const lines: object[] = []
  const open = async (fetch: Fetch, more: object = {}) => {
    lines.length = 0
    server = await listen(fetch, '127.0.0.1', 0, {
      log: (_level, event, fields) => lines.push({ event, ...fields }),
      ...more,
    })
  }

  it.each([
    ['HTTP/1.0 without a Host', 'GET / HTTP/1.0\r\n\r\n', 'exactly one Host header'],
    ['HTTP/1.1 without a Host', 'GET / HTTP/1.1\r\n\r\n', 'exactly one Host header'],
    ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 'exactly one Host header'],
    ['an invalid Host', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 'must form a valid URL'],
    ['an invalid target', 'GET http://% HTTP/1.1\r\nHost: a\r\n\r\n', 'must form a valid URL'],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'The method must be'],
    ['a bad first line', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 'The first line must be'],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: a\r\nbad header: 1\r\n\r\n', 'Each header must be on one line'],
    [
      'a bad chunk',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'Each chunk of the body must begin',
    ],
  ])('is answered with a body and a Request-Id, logged, and disconnected: %s', async (_name, bytes, message) => {
    await open(echo)
    const text = await exchange(bytes)
    expect(text).toMatch(rejected)
    expect(text).toContain(message)
    const [, id] = /request-id: (req_\w+)/i.exec(text)!
    const fields = { method: '-', route: '-', status: 400, sub_type: 'INVALID_REQUEST' }
    expect(lines).toEqual([{ event: 'request', request_id: id, ...fields }])
  })

  it('is disconnected even if its client never closes the connection', async () => {
    await open(echo)
    const accepted = once(server!, 'connection') as Promise<[Socket]>
    const client = connect({ port: portOf(server!), host: '127.0.0.1', allowHalfOpen: true })
    client.resume().write('hello\r\n\r\n')
    const [socket] = await accepted
    await once(socket, 'close')
    client.destroy()
  })

  it('is answered with 431 if its headers are too large', async () => {
    await open(echo)
    expect(await exchange(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*\r\nRequest-Id: req_[\s\S]*The headers are too large/i,
    )
    expect(lines).toHaveLength(1)
  })

  it('is answered with 500 and a Request-Id if the handler fails', async () => {
    await open(async () => {
      throw new RangeError('secret')
    })
    const text = await exchange('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 500 [\s\S]*\r\nRequest-Id: req_[\s\S]*INTERNAL_ERROR/i)
    expect(text).not.toContain('secret')
    expect(lines).toMatchObject([
      { event: 'fault', fault: 'RangeError' },
      { event: 'request', status: 500 },
    ])
  })

  it('reaches the handler without a Host if the listener allows it', async () => {
    await open(async request => new Response(new URL(request.url).pathname), { isHostOptional: true })
    expect(await exchange('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 [\s\S]*\/livez$/)
  })
})

describe('a body over the limit', () => {
  const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`
  it.each([
    ['in one chunk', `${chunked}${chunk(2_000)}0\r\n\r\n`],
    ['in many chunks', `${chunked}${chunk(600).repeat(40)}0\r\n\r\n`],
    ['that never ends', `${chunked}${chunk(600).repeat(40)}`],
    ['with a declared length', `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n${'x'.repeat(2_000)}`],
  ])('is answered by the handler: %s', async (_name, bytes) => {
    server = await listen(
      async request => {
        const body = await readBytes(request, { most: 1_000 }).catch(error => error)
        return new Response(body.message, { status: body.status, headers: body.headers })
      },
      '127.0.0.1',
      0,
    )
    expect(await exchange(bytes)).toMatch(/^HTTP\/1\.1 413 [\s\S]*must be at most/)
  })
})
