/**
 * Attacks a separate service on this machine as an unauthenticated client, and measures the effect on other clients.
 * The attacks are junk bodies, incomplete bodies, guessed tokens, and requests that never end. Takes about three
 * minutes.
 *   pnpm build && node bench/attack.mjs     prints one line per attack, and exits with 1 if a limit is exceeded
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

if (process.argv[2] === 'send') {
  const [port, size] = process.argv.slice(3).map(Number)
  const body = `{"a":[${'[],'.repeat(size / 3 - 4)}[]]}`
  const agent = new http.Agent({ keepAlive: true, maxSockets: 3 })
  const end = performance.now() + 10_000
  let sent = 0
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const sender = async () => {
    while (performance.now() < end) {
      await request(port, 'POST', '/s/redeem', { headers, body, agent })
      sent += 1
    }
  }
  await Promise.all([sender(), sender(), sender()])
  console.log(sent)
  process.exit(0)
}

const sink = http
  .createServer((request, response) => request.resume().on('end', () => response.end()))
  .listen(0, '127.0.0.1')
const key = 'sk_attack0123456789abcdefghij'
const folder = mkdtempSync(join(tmpdir(), 'causeway-attack-'))
const service = spawn(process.execPath, [fileURLToPath(new URL('../apps/api/dist/main/server.js', import.meta.url))], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'ignore'],
  env: {
    PATH: process.env.PATH,
    PORT: '0',
    FRAME_PORT: '0',
    OPS_PORT: '0',
    RATE_LIMITS: '1',
    BOOTSTRAP_SECRET_KEY: key,
  },
})
process.on('exit', () => {
  service.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
const [line] = await once(service.stdout, 'data')
const { api_origin, frame_origin } = JSON.parse(line.toString())
const api = Number(new URL(api_origin).port)
const frame = Number(new URL(frame_origin).port)

let failed = false
function report(attack, measured, bound, holds) {
  if (!holds) failed = true
  console.log(`${holds ? 'ok' : 'NO'} ${attack}: ${measured} (bound: ${bound})`)
}
const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]

/** Sends one request. @returns its status and headers; the status is 0 if the connection was closed */
function request(port, method, path, { headers = {}, body, agent } = {}) {
  return new Promise(resolve => {
    const call = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, response => {
      response.resume().on('close', () => resolve({ status: response.statusCode, headers: response.headers }))
    })
    call.on('error', () => resolve({ status: 0, headers: {} }))
    call.end(body)
  })
}

/** Sends `GET /team` 40 times per second, as another client. @returns each duration, in ms */
async function meanwhile(ms) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const times = []
  for (const end = performance.now() + ms; performance.now() < end; await sleep(25)) {
    const started = performance.now()
    const { status } = await request(api, 'GET', '/team', { headers: { authorization: `Bearer ${key}` }, agent })
    if (status !== 200) throw new Error(`GET /team responded with ${status}`)
    times.push(performance.now() - started)
  }
  agent.destroy()
  return times
}

const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))[1]) / 1024

/** Returns the CPU time that the service has used, in ms. */
const cpu = () => {
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/**
 * Runs the sender in a separate process to exclude its cost from the measurement.
 * @returns the number of bodies sent
 */
async function flood(port, size) {
  const sender = spawn(process.execPath, [fileURLToPath(import.meta.url), 'send', String(port), String(size)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [sent] = await once(sender.stdout, 'data')
  return Number(sent)
}

/**
 * Sends a body repeatedly over three connections for 10 s. The sender and the service share this machine's processors,
 * so the test compares the result with a run in which the same sender targets a listener outside the service.
 */
async function junk(name, size) {
  await meanwhile(1_000)
  const before = median(await meanwhile(3_000))
  const [control] = await Promise.all([meanwhile(10_000), flood(sink.address().port, size)])
  const used = cpu()
  const [during, sent] = await Promise.all([meanwhile(10_000), flood(frame, size)])
  const [other, ours] = [median(control), median(during)]
  report(
    `${name} on three connections for 10 s (${sent} requests)`,
    `median of GET /team ${ours.toFixed(1)} ms; ${other.toFixed(1)} with the bodies sent elsewhere, ${before.toFixed(1)} without them; ${(ours / other).toFixed(2)}x; ${(cpu() - used).toFixed(0)} ms of the service's CPU time`,
    '1.5x',
    ours <= other * 1.5,
  )
}

/** Sends 250 request bodies, each without its last tenth. */
async function half(port, line, headers = '') {
  await sleep(1_000)
  const before = rss()
  let most = before
  const sockets = Array.from({ length: 250 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${line.split(' with')[0]} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: 1000000\r\n\r\n`)
    socket.write(Buffer.alloc(900_000, 0x20))
    return socket
  })
  for (let each = 0; each < 25; each += 1) {
    await sleep(200)
    most = Math.max(most, rss())
  }
  for (const socket of sockets) socket.destroy()
  report(
    `250 half-sent bodies to ${line}`,
    `${before.toFixed(0)} to ${most.toFixed(0)} MB, +${(most - before).toFixed(0)}`,
    '50 MB',
    most - before <= 50,
  )
}

/** Sends a request at one byte per second. @returns the number of seconds before the service closed the connection */
async function slow(start) {
  const socket = connect(api, '127.0.0.1')
  const started = performance.now()
  socket.on('error', () => {})
  socket.resume()
  socket.write(start)
  const timer = setInterval(() => socket.writable && socket.write('x'), 1_000)
  await Promise.race([once(socket, 'close'), sleep(40_000)])
  clearInterval(timer)
  socket.destroy()
  return (performance.now() - started) / 1000
}

await junk('junk bodies of 1 MB', 1_000_000)
// Wait until the rate limit on redemptions has reset.
await sleep(61_000)
await junk('junk bodies of 4 kB', 4_000)
await half(frame, 'POST /s/redeem')
await half(api, 'PATCH /team', 'Authorization: Bearer sk_wrong\r\n')
await half(api, 'PATCH /team with a key', `Authorization: Bearer ${key}\r\n`)

let refused = 0
let retry
for (let each = 0; each < 1_000; each += 1) {
  const body = JSON.stringify({
    token: `pk_elem_${'x'.repeat(49)}`,
    exchange_id: 'x'.repeat(24),
    origin: null,
    mode: null,
  })
  const { status, headers } = await request(frame, 'POST', '/s/redeem', {
    headers: { 'content-length': body.length },
    body,
  })
  if (status === 429) {
    refused += 1
    retry = headers['retry-after']
  }
}
report(
  '1,000 bad redemptions',
  `${refused} are 429, Retry-After ${retry} s`,
  'at least 880',
  refused >= 880 && Number(retry) > 0,
)

const [body, headers] = await Promise.all([
  slow(`PATCH /team HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: 1000\r\n\r\n`),
  slow('PATCH /team HTTP/1.1\r\nHost: a\r\nX-Slow: '),
])
report('a slow body', `ended after ${body.toFixed(1)} s`, '17 s', body <= 17)
report('slow headers', `ended after ${headers.toFixed(1)} s`, '12 s', headers <= 12)
process.exit(failed ? 1 : 0)
