// kills: every-address-is-public
// kills: bare-addresses-are-public
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createListener, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { isPublicAddress } from './addresses.js'
import { createOutbound, type OutboundCall, OutboundError, type OutboundOptions } from './outbound.js'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function listen<T extends Server>(server: T, host = '127.0.0.1'): Promise<number> {
  open.push(server)
  server.listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void) => listen(createServer(answer))

const outbound = (options: Partial<OutboundOptions> = {}) =>
  createOutbound({ loopback: true, ownPorts: () => [], resolve: async () => [], ...options })

const post = (url: string, more: Partial<OutboundCall> = {}): OutboundCall => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"a":"ü"}',
  timeout: 2_000,
  limit: 16_384,
  ...more,
})

async function faultOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    reason => reason,
  )
  expect(error).toBeInstanceOf(OutboundError)
  return (error as OutboundError).fault
}

/**
 * Various spellings of addresses that belong to, or lead to, this machine or its network. The canary listens on `PORT`.
 */
const hostile = [
  ...['127.0.0.1', '127.1', '127.0.1', '0x7f.0.0.1', '0x7f000001', '0177.0.0.1', '017700000001', '2130706433'],
  ...['127.0.0.1.', '127.255.255.254', '0', '0.0.0.0', '0.0.0.1', '０x7f.1', '１２７.0.0.1', '127。0。0。1'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.', 'ⓛocalhost'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::7f00:1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[2001:db8::1]'],
  ...['[3fff::1]', '[5f00::1]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[fec0::1]', '[ff02::1]', '[100::1]'],
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.100.100.200'],
  ...['168.63.129.16', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255'],
].flatMap(host => [`https://${host}:PORT/hook`, `http://${host}:PORT/hook`])
const others = [
  'ftp://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/',
  'http:127.0.0.1:PORT',
  'https://user:password@127.0.0.1:PORT/',
  'https://good.example@127.0.0.1:PORT/',
  'https://127.0.0.1:PORT#@good.example/',
  'https://127.0.0.1:PORT\\@good.example/',
  'http://good.example:PORT/',
  'not a url',
]
/** DNS responses with addresses that must not be called. Some of these responses also contain an allowed address. */
const answers = [
  ['127.0.0.1'],
  ['8.8.8.8', '127.0.0.1'],
  ['::1'],
  ['2606:4700::1111', '::ffff:127.0.0.1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['nonsense'],
  [],
]

describe('blocked addresses', () => {
  it(`include ${hostile.length + others.length + answers.length} hostile URLs, and none connects to the canary`, async () => {
    let connections = 0
    const canary = createListener(socket => {
      connections += 1
      socket.destroy()
    })
    const port = await listen(canary, '::').catch(() => listen(canary, '0.0.0.0'))
    for (const text of [...hostile, ...others]) {
      const { call, admits } = outbound({ loopback: false })
      const url = text.replace('PORT', String(port))
      expect([url, admits(url)]).toEqual([url, false])
      expect([url, await faultOf(call(post(url)))]).toEqual([url, 'refused'])
    }
    for (const found of answers) {
      const { call } = outbound({ loopback: false, resolve: async () => found })
      const fault = await faultOf(call(post(`https://good.example:${port}/`)))
      expect([found, fault]).toEqual([found, found.length > 0 ? 'refused' : 'lookup'])
    }
    expect(connections).toBe(0)
  })

  it('include the ports of services other than web servers', () => {
    const { admits } = createOutbound({ loopback: false, ownPorts: () => [] })
    const open = (port: number) => admits(`https://hooks.example:${port}/`)
    expect([443, 1_024, 8_443, 65_535].filter(open)).toEqual([443, 1_024, 8_443, 65_535])
    expect([1, 22, 25, 80, 444, 993, 1_023].filter(open)).toEqual([])
    expect([1_433, 2_375, 3_306, 5_432, 6_379, 9_200, 10_250, 11_211, 27_017].filter(open)).toEqual([])
  })

  it('include host names whose lookup fails', async () => {
    const resolve = () => Promise.reject(new Error('SERVFAIL'))
    expect(await faultOf(outbound({ resolve }).call(post('https://good.example/')))).toBe('lookup')
  })

  it('include host names whose lookup never ends: the call times out', async () => {
    const resolve = () => new Promise<string[]>(() => {})
    expect(await faultOf(outbound({ resolve }).call(post('https://good.example/', { timeout: 50 })))).toBe('timeout')
  })

  it('include our own ports, even if loopback is allowed', async () => {
    const port = await serve((_, response) => response.end())
    const { call, admits } = outbound({ ownPorts: () => [port] })
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.0.0.9']) {
      expect(admits(`http://${host}:${port}/`)).toBe(false)
      expect(await faultOf(call(post(`http://${host}:${port}/`)))).toBe('refused')
    }
  })

  it("include our own ports on this machine's public address, with or without its host name", async () => {
    const here = { ownAddresses: () => ['8.8.8.8', '2606:4700::1111'], ownPorts: () => [4100] }
    const { call, admits } = outbound({ ...here, resolve: async () => ['8.8.8.8'] })
    for (const host of ['8.8.8.8', '8.8.2056', '[2606:4700::1111]', '[2606:4700:0::1111]']) {
      expect([host, admits(`https://${host}:4100/`), admits(`https://${host}/`)]).toEqual([host, false, true])
      expect(await faultOf(call(post(`https://${host}:4100/`)))).toBe('refused')
    }
    expect(await faultOf(call(post('https://good.example:4100/')))).toBe('refused')
  })

  it('include names that resolve to this machine, even if loopback is allowed', async () => {
    const { call } = outbound({ resolve: async () => ['127.0.0.1'] })
    expect(await faultOf(call(post('https://good.example/')))).toBe('refused')
  })

  it('are distinguished from public addresses', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])
      expect([address, isPublicAddress(address)]).toEqual([address, true])
  })
})

describe('an outbound call', () => {
  it('connects to the address from its only lookup, with the requested host name', async () => {
    let hello = ''
    const port = await listen(
      createListener(socket => {
        socket.once('data', data => {
          hello = data.toString('latin1')
          socket.destroy()
        })
        socket.on('error', () => {})
      }),
    )
    let asked = 0
    const { call } = outbound({
      isPublic: address => address === '127.0.0.1',
      resolve: async () => {
        asked += 1
        return asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']
      },
    })
    expect(await faultOf(call(post(`https://hooks.good.example:${port}/`)))).toBe('connection')
    expect(asked).toBe(1)
    expect(hello).toContain('hooks.good.example')
  })

  it('preserves the path, query, Host header and body', async () => {
    let seen: unknown
    const port = await serve(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      seen = [request.method, request.url, request.headers.host, Buffer.concat(parts).toString()]
      response.writeHead(202, { 'Retry-After': '7' }).end('fine')
    })
    const answer = await outbound().call(post(`http://localhost:${port}/a/b?c=d`))
    expect(seen).toEqual(['POST', '/a/b?c=d', `localhost:${port}`, '{"a":"ü"}'])
    expect([answer.status, answer.header('retry-after'), answer.body.toString()]).toEqual([202, '7', 'fine'])
  })

  it('does not follow a redirect', async () => {
    let calls = 0
    const port = await serve((_, response) => {
      calls += 1
      response.writeHead(302, { Location: '/elsewhere' }).end()
    })
    expect((await outbound().call(post(`http://127.0.0.1:${port}/`))).status).toBe(302)
    expect(calls).toBe(1)
  })

  it('stops reading an endless response at the limit', async () => {
    let sent = 0
    const ended = new Promise<void>(resolve => {
      void serve((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(8_192))) sent += 8_192
        }
        response.on('drain', more)
        response.on('close', resolve)
        more()
      }).then(async port => {
        const { body } = await outbound().call(post(`http://127.0.0.1:${port}/`, { limit: 1_000 }))
        expect(body).toHaveLength(1_000)
      })
    })
    await ended
    expect(sent).toBeLessThan(20_000_000)
  })

  it('ends at its deadline if there is no response', async () => {
    const port = await serve(() => {})
    expect(await faultOf(outbound().call(post(`http://127.0.0.1:${port}/`, { timeout: 60 })))).toBe('timeout')
  })

  it('returns its status even if the body is interrupted or stalls', async () => {
    const broken = await serve((_, response) => {
      response.writeHead(200, { 'Content-Length': '10' })
      response.write('12345', () => response.destroy())
    })
    expect((await outbound().call(post(`http://127.0.0.1:${broken}/`))).status).toBe(200)
    const hanging = await serve((_, response) => {
      response.writeHead(200, { 'Content-Length': '10' }).write('12345')
    })
    expect((await outbound().call(post(`http://127.0.0.1:${hanging}/`, { timeout: 100 }))).status).toBe(200)
  })

  it('reports a connection fault if the connection is refused or the server does not speak HTTP', async () => {
    const port = await listen(createListener(socket => socket.end('SSH-2.0-OpenSSH\r\n')))
    expect(await faultOf(outbound().call(post(`http://127.0.0.1:${port}/`)))).toBe('connection')
    const gone = createListener()
    const free = await listen(gone)
    await new Promise(resolve => gone.close(resolve))
    expect(await faultOf(outbound().call(post(`http://localhost:${free}/`)))).toBe('connection')
  })
})
