import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { safeHeaders } from '../platform/http/headers.js'

export type Fetch = (request: Request, env?: object) => Response | Promise<Response>

/** Bounds of a connection, in ms: an unauthenticated client can hold one open for as long, and no longer. */
export const bounds = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /** Interval of the checks of the two above. */
  connectionsCheckingInterval: 1_000,
  /** Longer than load balancers keep an idle connection, so that no balancer sends a request into one that closes. */
  keepAliveTimeout: 65_000,
}
/** Open connections of one listener; the next is closed at once. */
const MAX_CONNECTIONS = 4_000
/** With more open connections than that, idle ones are closed to make room. */
const CROWDED = MAX_CONNECTIONS / 2

/** Listeners that are closing: each of their connections ends with its next answer. */
const closing = new WeakSet<Server>()

/** Time in ms for a client to read an answer that was sent before its body arrived. */
const LINGER = 500

/** Counts a header as it was sent: node:http keeps the first `Host` and drops the others without a word. */
function hostsOf({ rawHeaders: raw }: IncomingMessage): number {
  let count = 0
  for (let each = 0; each < raw.length; each += 2) if (raw[each]!.toLowerCase() === 'host') count += 1
  return count
}

/** Closes a connection after its answer without reading what else arrives: a closed socket would discard the answer too. */
function endUnread(socket: Socket): void {
  socket.pause()
  // node:http resumes the socket after the answer, in order to read the rest of the body and discard it.
  socket.resume = () => socket
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER).unref()
  }
}

/**
 * Answers a request. One that is refused before its body arrived ends its connection, so that the body takes no memory; so
 * does the last one of a listener that closes.
 */
async function answer(
  server: Server,
  response: Response | Promise<Response>,
  incoming: IncomingMessage,
): Promise<Response> {
  const answered = await response
  if (hasBody(incoming)) {
    // Bytes that arrived with the headers are parsed after them.
    if (!incoming.complete) await new Promise(setImmediate)
    if (!incoming.complete) {
      answered.headers.set('Connection', 'close')
      endUnread(incoming.socket)
    }
  }
  if (closing.has(server)) answered.headers.set('Connection', 'close')
  return answered
}

/**
 * Keeps the listener's own list of idle connections. node:http counts a connection as idle once its answer was written, and
 * closes it although a slow client still receives that answer. While the listener closes, each connection ends with its answer.
 */
function watchIdle(server: Server): void {
  /** For each idle connection, the bytes that it had read when its last answer had left. */
  const idle = new Map<Socket, number>()
  const underWay = new WeakMap<Socket, number>()
  server.on('connection', (socket: Socket) => socket.once('close', () => idle.delete(socket)))
  server.on('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    idle.delete(socket)
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
    outgoing.once('finish', () => {
      const left = underWay.get(socket)! - 1
      underWay.set(socket, left)
      if (left > 0 || socket.destroyed) return
      if (closing.has(server)) socket.destroySoon()
      else idle.set(socket, socket.bytesRead)
    })
  })
  server.closeIdleConnections = () => {
    // One that has read more since then is receiving a request.
    for (const [socket, read] of idle) if (socket.bytesRead === read) socket.destroy()
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Opens a listener. A proxy and the service could disagree on which of two hosts counts, so such a request is refused. */
export async function listen(fetch: Fetch, host: string, port: number, times = bounds): Promise<Server> {
  const server = createAdaptorServer({
    fetch(request: Request, env) {
      const incoming = env.incoming as IncomingMessage
      if (hostsOf(incoming) > 1)
        return new Response('The request must have one Host header.\n', {
          status: 400,
          headers: { ...safeHeaders(''), Connection: 'close' },
        })
      return answer(server, fetch(request, env), incoming)
    },
    // It would read the bodies of refused requests.
    autoCleanupIncoming: false,
    serverOptions: times,
  }) as Server
  server.maxConnections = MAX_CONNECTIONS
  watchIdle(server)
  let open = 0
  server.on('connection', (socket: Socket) => {
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    if (open > CROWDED) server.closeIdleConnections()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(
              `Port ${port} is already in use. Stop the process that uses it, or set another port (PORT, FRAME_PORT, CONSOLE_PORT, OPS_PORT).`,
            )
          : error,
      ),
    )
    server.listen(port, host, resolve)
  })
  return server
}

export const portOf = (server: Server) => (server.address() as AddressInfo).port

/** Accepts no connection, answers what comes on the open ones once, and ends when they did, after 10 s in any case. */
export async function close(server: Server): Promise<void> {
  closing.add(server)
  await new Promise<void>(resolve => {
    server.close(() => resolve())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 10_000).unref()
  })
}
