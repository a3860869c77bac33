import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStore } from '../platform/db/store.js'
import { readConfig } from './config.js'
import { operate } from './operator/operator.js'
import { run } from './run.js'

it('still sends webhooks at shutdown while the last requests finish', async () => {
  let calls = 0
  const receiver = createServer((request, response) => {
    calls += 1
    request.resume()
    response.writeHead(calls === 1 ? 500 : 200).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'causeway-run-'))
  const key = `sk_${'a'.repeat(24)}`
  const config = readConfig(
    {
      PORT: '0',
      FRAME_PORT: '0',
      OPS_PORT: '0',
      DATABASE_URL: 'file:store.db',
      BOOTSTRAP_SECRET_KEY: key,
      OUTBOUND_LOOPBACK: 'allow',
    },
    folder,
  )
  const lines: string[] = []
  const service = await run(
    config,
    (_level, event, fields) => lines.push(JSON.stringify([event, fields])),
    () => {},
  )
  const post = (path: string, body: unknown) =>
    fetch(`${service.origins.api_origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    })
  const { port } = receiver.address() as AddressInfo
  const hook = { type: 'entity.create', url: `http://127.0.0.1:${port}`, hmac_secret: 'a secret of the receiver' }
  expect((await post('/webhooks', hook)).status).toBe(200)
  expect((await post('/entities', { type: 'corporation', corporation: { name: 'Told' } })).status).toBe(200)
  await expect.poll(() => calls).toBe(1)

  // A request with an incomplete body keeps the listener open. The interim response shows that the service received it.
  const slow = connect(Number(new URL(service.origins.api_origin).port), '127.0.0.1')
  slow.on('error', () => {})
  const head = ['POST /entities HTTP/1.1', 'Host: 127.0.0.1', `Authorization: Bearer ${key}`, 'Content-Length: 9']
  slow.write(`${[...head, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n{`)
  await once(slow, 'data')
  const stopped = service.stop()
  await expect.poll(() => calls, { timeout: 8_000 }).toBe(2)
  slow.destroy()
  await stopped
  expect(lines.filter(line => line.includes('job_failed'))).toEqual([])
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
}, 20_000)

it('announces origins that answer if it listens on an IPv6 address', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-run-'))
  const ports = { PORT: '0', FRAME_PORT: '0', OPS_PORT: '0' }
  const config = readConfig({ ...ports, HOST: '::1', OPS_HOST: '::1', DATABASE_URL: 'file:store.db' }, folder)
  const service = await run(
    config,
    () => {},
    () => {},
  )
  try {
    const { api_origin, ops_origin } = service.origins
    for (const url of [`${api_origin}/ping`, `${ops_origin}/livez`]) {
      expect(url).toMatch(/^http:\/\/\[::1\]:\d+\//)
      expect((await fetch(url, { headers: { connection: 'close' } })).status).toBeLessThan(500)
    }
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

it('both public listeners respond with a body and a Request-Id to requests that node:http rejects', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-run-'))
  const config = readConfig({ PORT: '0', FRAME_PORT: '0', OPS_PORT: '0', DATABASE_URL: 'file:store.db' }, folder)
  const service = await run(
    config,
    () => {},
    () => {},
  )
  for (const origin of [service.origins.api_origin, service.origins.frame_origin]) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', part => (answer += part))
    socket.write('FROBNICATE / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket, 'end')
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nRequest-Id: req_\w{20}\r\n[\s\S]*"sub_type":"INVALID_REQUEST"/i)
  }
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('serves the console on a separate port, and stops without losing a request from the log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-console-'))
  const key = `sk_${'b'.repeat(24)}`
  const ports = { PORT: '0', FRAME_PORT: '0', OPS_PORT: '0', CONSOLE_PORT: '0' }
  const config = readConfig({ ...ports, DATABASE_URL: 'file:store.db', BOOTSTRAP_SECRET_KEY: key }, folder)
  const service = await run(
    config,
    () => {},
    () => {},
  )
  const origin = service.origins.console_origin!
  const call = (path: string, body?: unknown, cookie = '') =>
    fetch(`${origin}${path}`, {
      headers: {
        origin,
        cookie,
        connection: 'close',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
  const cookieOf = (response: Response) => response.headers.get('set-cookie')!.split(';')[0]!
  const first = await call('/api/session', { key })
  expect(first.status).toBe(200)
  const { team } = (await first.json()) as { team: { id: string } }
  expect(((await (await call('/api/team', undefined, cookieOf(first))).json()) as { id: string }).id).toBe(team.id)

  const { link } = (await operate({ ...config, consoleOrigin: origin }, ['console', 'link', team.id], Date.now())) as {
    link: string
  }
  expect(link).toMatch(new RegExp(`^${origin}/sign-in#link=clink_\\w{43}$`))
  const second = await call('/api/session', { link: link.split('#link=')[1] })
  expect([second.status, ((await second.json()) as { user: { operator: boolean } }).user.operator]).toEqual([200, true])

  const refused = await call('/api/payments/pmt_4kYq8ZbT1mXcX', undefined, cookieOf(second))
  expect(refused.status).toBe(404)
  await service.stop()
  const store = await openStore(config.databaseUrl)
  const rows = await store.reader
    .selectFrom('requests')
    .select(['id', 'source'])
    .where('team_id', '=', team.id)
    .execute()
  expect(rows).toEqual([{ id: refused.headers.get('request-id'), source: 'console' }])
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
