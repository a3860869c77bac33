/**
 * Generates load over connections that are opened during the measurement, so that each latency includes the wait until
 * the server accepts the connection.
 */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { endOf } from './load.mjs'

/** Sends one request. @returns the response's status, or 0 if there was none */
const exchange = (socket, bytes, timeoutMs) =>
  new Promise(resolve => {
    let received = ''
    const end = status => {
      clearTimeout(late)
      socket.removeAllListeners()
      socket.on('error', () => {})
      if (status === 0) socket.destroy()
      resolve(status)
    }
    const late = setTimeout(end, timeoutMs, 0)
    socket.on('error', () => end(0))
    socket.on('close', () => end(0))
    socket.on('data', part => {
      received += part
      if (endOf(received) >= 0) end(Number(received.slice(9, 12)))
    })
    socket.write(bytes)
  })

/** Summarizes latencies in ms. */
function summarize(latencies) {
  latencies.sort((a, b) => a - b)
  const at = part => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))]
  return { count: latencies.length, p50: at(0.5), p99: at(0.99), longest: latencies.at(-1) }
}

/**
 * Opens all connections at the same moment. Each sends the result of `next()` repeatedly for `ms` milliseconds.
 * @param reconnects whether each request uses a new connection
 * @param pauseMs the pause of a connection between two requests
 * @param timeoutMs the maximum time to wait for a response
 * @returns the latencies, in ms, of all responses, of those with 200 (`accepted`) and of the others (`refused`), and
 *   the number of requests without a response (`lost`)
 */
export async function flood(port, next, { ms, connections, reconnects = false, pauseMs = 0, timeoutMs = 60_000 }) {
  const accepted = []
  const refused = []
  let lost = 0
  const until = performance.now() + ms
  const run = async () => {
    let socket
    while (performance.now() < until) {
      const sentAt = performance.now()
      if (reconnects || !socket || socket.destroyed) {
        socket?.destroy()
        socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
      }
      const status = await exchange(socket, next(), timeoutMs)
      if (status === 0) lost += 1
      else (status === 200 ? accepted : refused).push(performance.now() - sentAt)
      if (pauseMs > 0) await pause(pauseMs)
    }
    socket?.destroy()
  }
  await Promise.all(Array.from({ length: connections }, run))
  return {
    all: summarize([...accepted, ...refused]),
    accepted: summarize(accepted),
    refused: summarize(refused),
    lost,
  }
}
