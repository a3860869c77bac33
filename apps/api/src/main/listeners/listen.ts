import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { errors } from '@causeway/contract/errors'
import { getRequestListener, RequestError } from '@hono/node-server'
import { levelOf } from '../../platform/db/fault.js'
import { countConnection } from '../../platform/event-loop.js'
import { answerRejected, answerUnparsed, LINGER_MS } from '../../platform/http/pipeline/parse-errors.js'
import { mergeCopies } from '../../platform/http/request/single-headers.js'
import { describeFault, type Log } from '../../platform/log.js'
import type { Metrics } from '../../platform/metrics.js'

export type Fetch = (request: Request, env?: object) => Response | Promise<Response>

/** Connection timeouts, in ms, which limit how long an unauthenticated client can keep a connection open. */
export const connectionTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /** The interval at which the two limits above are enforced. */
  connectionsCheckingInterval: 1_000,
  /**
   * Must exceed the idle timeout of load balancers. Otherwise, a balancer could send a request on a connection that is
   * closing.
   */
  keepAliveTimeout: 65_000,
}
/** The maximum number of open connections per listener. Additional connections are closed immediately. */
const MAX_CONNECTIONS = 4_000
/** The number of open connections above which idle connections are closed to make room. */
const IDLE_CLOSE_THRESHOLD = MAX_CONNECTIONS / 2
/**
 * The number of connections that the system keeps waiting until the process accepts them. The system drops the first
 * packets of further clients, which try again after a second or more.
 */
const BACKLOG = MAX_CONNECTIONS

/** Listeners that are closing. Each connection of a closing listener closes after its next response. */
const closingServers = new WeakSet<Server>()

/** Reads the Host headers of the raw request, because node:http uses the first one and silently drops the others. */
function hostsOf({ rawHeaders: raw }: IncomingMessage): string[] {
  const hosts: string[] = []
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index]!.toLowerCase() === 'host') hosts.push(raw[index + 1]!)
  return hosts
}

/** Merges equal copies of headers. Returns the reason to reject the request, or undefined. */
function checkHeaders(incoming: IncomingMessage, isHostOptional: boolean): string | undefined {
  const hosts = hostsOf(incoming)
  if (hosts.length > 1 || (!isHostOptional && !hosts[0])) return 'The request must have exactly one Host header.'
  const name = mergeCopies(incoming)
  return name && `The request has several ${name} headers with different values. Send the header once.`
}

/**
 * Closes a connection after the response is sent, without reading more data. Closing it immediately would also discard
 * the response.
 */
function closeAfterResponse(socket: Socket): void {
  socket.pause()
  // Stops node:http from reading and discarding the rest of the body after the response.
  socket.resume = () => socket
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}

/**
 * Sends a response. Closes the connection if the listener is closing, or if the request body has not fully arrived, so
 * that the rest of the body uses no memory.
 */
async function sendResponse(
  server: Server,
  pending: Response | Promise<Response>,
  incoming: IncomingMessage,
): Promise<Response> {
  // A handler that stops reading the body detaches the socket from the request.
  const { socket } = incoming
  const response = await pending
  if (hasBody(incoming)) {
    // Lets the parser process any body bytes that arrived together with the headers.
    if (!incoming.complete) await new Promise(setImmediate)
    if (!incoming.complete) {
      response.headers.set('Connection', 'close')
      closeAfterResponse(socket)
    }
  }
  if (closingServers.has(server)) response.headers.set('Connection', 'close')
  return response
}

/**
 * Tracks a listener's idle connections. node:http considers a connection idle once its response is written, and would
 * close it even if a slow client is still receiving the response. While the listener is closing, each connection closes
 * after its response.
 */
function watchIdle(server: Server): void {
  /** The idle connections, each with the number of bytes read when its last response was sent. */
  const idle = new Map<Socket, number>()
  const runningRequests = new WeakMap<Socket, number>()
  server.on('connection', (socket: Socket) => socket.once('close', () => idle.delete(socket)))
  server.on('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    idle.delete(socket)
    runningRequests.set(socket, (runningRequests.get(socket) ?? 0) + 1)
    outgoing.once('finish', () => {
      const running = runningRequests.get(socket)! - 1
      runningRequests.set(socket, running)
      if (running > 0 || socket.destroyed) return
      if (closingServers.has(server)) socket.destroySoon()
      else idle.set(socket, socket.bytesRead)
    })
  })
  server.closeIdleConnections = () => {
    // If more bytes have been read since the last response, the connection is receiving a request.
    for (const [socket, read] of idle) if (socket.bytesRead === read) socket.destroy()
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export interface ListenOptions {
  readonly timeouts?: typeof connectionTimeouts
  readonly log?: Log
  readonly metrics?: Pick<Metrics, 'request'>
  /** The origin under which clients reach the listener, if it is configured. */
  readonly origin?: string | undefined
  /** Accepts requests without a Host header, as HTTP/1.0 health checks send them. */
  readonly isHostOptional?: boolean
}

/**
 * Opens a listener. Rejects requests with two Host headers, or with different copies of another header that must occur
 * once, because a proxy and the service might each use a different one.
 */
export async function listen(
  fetch: Fetch,
  host: string,
  port: number,
  { timeouts = connectionTimeouts, log = () => {}, metrics, origin = '', isHostOptional = false }: ListenOptions = {},
): Promise<Server> {
  const listener = { log, metrics, origin }
  const handle = getRequestListener(
    (request, env) => {
      const incoming = (env as { incoming: IncomingMessage }).incoming
      const reason = checkHeaders(incoming, isHostOptional)
      const response = reason === undefined ? fetch(request, env) : answerRejected(listener, 400, reason, request)
      return sendResponse(server, response, incoming)
    },
    {
      errorHandler(error) {
        if (error instanceof RequestError)
          return answerRejected(listener, 400, 'The Host header and the target of the request must form a valid URL.')
        log(levelOf(error), 'fault', describeFault(error))
        return answerRejected(listener, 500, errors.INTERNAL_ERROR.message)
      },
      // Used only if a request without a Host header is accepted.
      hostname: 'localhost',
      // Automatic cleanup would read the bodies of rejected requests.
      autoCleanupIncoming: false,
    },
  )
  // node:http would reject a request without a Host header with an empty response.
  const server = createServer({ ...timeouts, requireHostHeader: false }, handle)
  // node:http would silently drop the headers after the first thousand. The size of all headers is limited instead.
  server.maxHeadersCount = 0
  answerUnparsed(server, listener)
  server.maxConnections = MAX_CONNECTIONS
  watchIdle(server)
  let open = 0
  server.on('connection', (socket: Socket) => {
    countConnection()
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    if (open > IDLE_CLOSE_THRESHOLD) server.closeIdleConnections()
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
    server.listen({ port, host, backlog: BACKLOG }, resolve)
  })
  return server
}

export const portOf = (server: Server) => (server.address() as AddressInfo).port

/**
 * Stops accepting new connections, responds to requests that arrive on open connections, and returns when all
 * connections are closed, or after 10 s.
 */
export async function closeListener(server: Server): Promise<void> {
  closingServers.add(server)
  await new Promise<void>(resolve => {
    server.close(() => resolve())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 10_000).unref()
  })
}
