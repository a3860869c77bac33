/**
 * A load on one server: some connections, each with one request under way at any time. Raw sockets and ready-made bytes,
 * because on a small machine whatever the load costs is taken from the server.
 */
import { connect } from 'node:net'

/** The bytes of a request; its answer comes over a connection that stays open. */
export function bytesOf(method, path, { headers = {}, body } = {}) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    Host: '127.0.0.1',
    ...headers,
    ...(text ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) } : {}),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

/** The end of the first whole answer of `text`, or -1. */
function endOf(text) {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return -1
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head + 2))?.[1]
  if (length !== undefined) return text.length >= head + 4 + Number(length) ? head + 4 + Number(length) : -1
  const last = text.indexOf('\r\n0\r\n\r\n', head)
  return last < 0 ? -1 : last + 7
}

/** A connection over which a first request was answered. */
const accepted = port =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytesOf('GET', '/ping')))
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.once('data', () => resolve(socket))
  })

/**
 * Sends `next()` over and over for `ms`. `next` gives bytes, or null when nothing is left to send.
 * @returns `{ count, perSecond, p50, p95, p99, longest, refused }`, latencies in ms; `refused` counts answers other than 200
 */
export async function load(port, next, { ms, connections = 32 }) {
  const latencies = []
  let refused = 0
  // Node accepts one connection a turn, so that under load the last of them would wait long: all of them first.
  const sockets = await Promise.all(Array.from({ length: connections }, () => accepted(port)))
  const began = performance.now()
  const until = began + ms
  const one = socket =>
    new Promise((resolve, reject) => {
      let received = ''
      let sentAt = 0
      const send = () => {
        const bytes = performance.now() < until ? next() : null
        if (bytes === null) return socket.end(resolve)
        sentAt = performance.now()
        socket.write(bytes)
      }
      socket.removeAllListeners('data')
      socket.on('error', reject)
      socket.on('data', part => {
        received += part
        const end = endOf(received)
        if (end < 0) return
        latencies.push(performance.now() - sentAt)
        if (!received.startsWith('HTTP/1.1 200')) refused += 1
        received = received.slice(end)
        send()
      })
      send()
    })
  await Promise.all(sockets.map(one))
  const seconds = (performance.now() - began) / 1000
  latencies.sort((a, b) => a - b)
  const at = part => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN
  return {
    count: latencies.length,
    perSecond: latencies.length / seconds,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    longest: latencies.at(-1),
    refused,
  }
}
