/**
 * Generates load on one server over several connections, each of which always has one request in progress. Uses raw
 * sockets and prebuilt bytes, because on a small machine, client overhead would reduce the server's request rate.
 */
import { connect } from 'node:net'

/** Returns the bytes of a request that uses keep-alive. */
export function bytesOf(method, path, { headers = {}, body } = {}) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    Host: '127.0.0.1',
    ...headers,
    ...(text ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) } : {}),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

/** Returns the index at which the first complete response in `text` ends, or -1. */
export function endOf(text) {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return -1
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head + 2))?.[1]
  if (length !== undefined) return text.length >= head + 4 + Number(length) ? head + 4 + Number(length) : -1
  const last = text.indexOf('\r\n0\r\n\r\n', head)
  return last < 0 ? -1 : last + 7
}

/** Opens a connection and waits for the response to its first request. */
const accepted = port =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytesOf('GET', '/ping')))
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.once('data', () => resolve(socket))
  })

/**
 * Sends the result of `next()` repeatedly for `ms` milliseconds. `next` returns bytes, or null if there is nothing left
 * to send.
 * @returns `{ count, perSecond, p50, p95, p99, longest, refused }`, latencies in ms; `refused` counts responses other
 * than 200
 */
export async function load(port, next, { ms, connections = 32 }) {
  const latencies = []
  let refused = 0
  // Node accepts one connection per event loop turn, so the last connections would wait a long time under load. Open
  // all of them before starting.
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
