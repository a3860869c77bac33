import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { safeHeaders } from '../platform/http/headers.js'

export type Fetch = (request: Request, env?: object) => Response | Promise<Response>

/** Time limits of a connection, in ms. They bound how long an unauthenticated client can keep one open. */
export const bounds = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /** The interval at which the two limits above are checked. */
  connectionsCheckingInterval: 1_000,
  /**
   * Longer than load balancers keep an idle connection, so that a balancer does not send a request on a connection that
   * is closing.
   */
  keepAliveTimeout: 65_000,
}
/** The maximum number of open connections of one listener. Further ones are closed immediately. */
const MAX_CONNECTIONS = 4_000
/** The number of open connections above which idle ones are closed to make room. */
const CROWDED = MAX_CONNECTIONS / 2

/** Listeners that are closing. Each of their connections ends with its next response. */
const closing = new WeakSet<Server>()

/** The time that a client has to read a response that was sent before its request body arrived, in ms. */
const LINGER = 500

/** Counts the Host headers as sent: node:http uses the first one and silently drops the others. */
function hostsOf({ rawHeaders: raw }: IncomingMessage): number {
  let count = 0
  for (let each = 0; each < raw.length; each += 2) if (raw[each]!.toLowerCase() === 'host') count += 1
  return count
}

/**
 * Closes a connection after its response without reading further data. Closing it immediately would discard the
 * response too.
 */
function endUnread(socket: Socket): void {
  socket.pause()
  // Prevents node:http from resuming the socket after the response to read and discard the rest of the body.
  socket.resume = () => socket
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER).unref()
  }
}

/**
 * Sends a response. Closes the connection if the request's body has not arrived completely, so that the rest takes no
 * memory, or if the listener is closing.
 */
async function answer(
  server: Server,
  response: Response | Promise<Response>,
  incoming: IncomingMessage,
): Promise<Response> {
  const answered = await response
  if (hasBody(incoming)) {
    // Lets the parser process body bytes that arrived together with the headers.
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
 * Tracks the idle connections of a listener. node:http considers a connection idle once its response is written, and
 * closes it even if a slow client is still receiving that response. While the listener closes, each connection ends
 * with its response.
 */
function watchIdle(server: Server): void {
  /** For each idle connection, the number of bytes that it had read when its last response was sent. */
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
    // A connection that has read more since then is receiving a request.
    for (const [socket, read] of idle) if (socket.bytesRead === read) socket.destroy()
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Opens a listener. Rejects requests with two Host headers, because a proxy and the service could disagree on which one
 * applies.
 */
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
    // Automatic cleanup would read the bodies of rejected requests.
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

/**
 * Accepts no new connections, answers requests that arrive on open ones, and ends when all are closed, after 10 s at
 * most.
 */
export async function close(server: Server): Promise<void> {
  closing.add(server)
  await new Promise<void>(resolve => {
    server.close(() => resolve())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 10_000).unref()
  })
}
