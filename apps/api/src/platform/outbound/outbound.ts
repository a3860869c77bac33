import { Resolver } from 'node:dns/promises'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopbackAddress, isPublicAddress } from './addresses.js'

/**
 * The reason that a call failed. `refused`: nothing was sent, because calls to the address are not allowed. `lookup`:
 * the name has no address. `timeout`: the call took too long. `connection`: the connection was refused or reset, or the
 * server doesn't speak HTTP.
 */
export type OutboundFault = 'refused' | 'lookup' | 'timeout' | 'connection'

/**
 * Ports from 1024 on of services that must not receive data from a customer: databases, queues, caches, file servers,
 * remote control, and the ports that browsers block.
 */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  1433, 1521, 1719, 1720, 1723, 1883, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432,
  5672, 5900, 5901, 5984, 6000, 6379, 6380, 6432, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 8086,
  9042, 9092, 9200, 9300, 10080, 10250, 11211, 27017, 27018, 27019, 50000,
])

/** Returns true if a public host may be called on a port: 443, or one from 1024 on that no other service usually uses. */
const isWebPort = (port: number): boolean => port === 443 || (port >= 1_024 && !SERVICE_PORTS.has(port))

export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly fault: OutboundFault
  constructor(fault: OutboundFault) {
    super(`The outbound call failed: ${fault}.`)
    this.fault = fault
  }
}

export interface OutboundCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The URL as the customer provided it. It is untrusted. */
  url: string
  headers: Record<string, string>
  body?: string
  /** The time limit in ms, from the DNS lookup to the last byte. */
  timeout: number
  /** The maximum number of bytes to read from the response body. The rest is discarded. */
  limit: number
}

export interface OutboundAnswer {
  status: number
  header(name: string): string | null
  /** All headers, with lowercase names. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/**
 * Calls URLs provided by customers. Never calls this machine or its private network, except for loopback in
 * development.
 */
export interface Outbound {
  /** True if loopback addresses may also be called, for development. */
  readonly loopback: boolean
  /** Returns true if a URL is allowed, as far as that can be determined without a DNS lookup. */
  admits(url: string): boolean
  /** Makes a call. Returns a redirect like any other response. Throws {@link OutboundError}. */
  call(call: OutboundCall): Promise<OutboundAnswer>
}

export interface OutboundOptions {
  loopback: boolean
  /** Returns the ports of our own listeners, which are never called. */
  ownPorts(): readonly number[]
  /** Returns the addresses of this machine's network interfaces. */
  ownAddresses?: () => readonly string[]
  /** Returns all addresses of a host name. If there are none, throws or returns an empty list. */
  resolve?: (name: string) => Promise<string[]>
  isPublic?: (address: string) => boolean
}

/**
 * Queries name servers directly, because the system's lookup blocks a thread that is also needed for file access and
 * encryption.
 */
async function resolveName(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return results.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
}

const isLocalName = (host: string) => host === 'localhost' || host.endsWith('.localhost')
/** If connecting to an address fails with one of these error codes, the next address can be tried. */
const retryableCodes = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'])

export function createOutbound(options: OutboundOptions): Outbound {
  const {
    loopback,
    ownPorts,
    ownAddresses = localAddresses,
    resolve = resolveName,
    isPublic = isPublicAddress,
  } = options
  const refusedError = () => new OutboundError('refused')
  /** Returns true if one of our own listeners uses that address and port. */
  const isOurs = (address: string, port: number) =>
    ownPorts().includes(port) && (isLoopbackAddress(address) || ownAddresses().includes(address))

  /**
   * Returns the URL, its host as a plain name or address, and its port. Throws an error if calling the URL isn't
   * allowed.
   */
  function parseUrl(text: string): { url: URL; host: string; port: number } {
    if (!URL.canParse(text)) throw refusedError()
    const url = new URL(text)
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
    const local = isLocalName(host) || isLoopbackAddress(host)
    const secure = url.protocol === 'https:'
    if (host === '' || url.username !== '' || url.password !== '') throw refusedError()
    if (!secure && !(url.protocol === 'http:' && local)) throw refusedError()
    // mutant: bare-addresses-are-public (false)
    if (local ? !loopback : isIP(host) !== 0 && !isPublic(host)) throw refusedError()
    const port = Number(url.port || (secure ? 443 : 80))
    if (isOurs(isLocalName(host) ? '127.0.0.1' : host, port)) throw refusedError()
    if (!local && !isWebPort(port)) throw refusedError()
    return { url, host, port }
  }

  /**
   * Returns the addresses to connect to. The caller must not connect to any other address, because only the returned
   * ones have been checked.
   */
  async function addressesOf(host: string, port: number): Promise<string[]> {
    if (isIP(host) !== 0) return [host]
    if (isLocalName(host)) return ['127.0.0.1', '::1']
    const addresses = await resolve(host).catch(() => [])
    if (addresses.length === 0) throw new OutboundError('lookup')
    // mutant: every-address-is-public (false)
    if (!addresses.every(address => isPublic(address) && !isOurs(address, port))) throw refusedError()
    return addresses
  }

  return {
    loopback,
    admits(text) {
      try {
        parseUrl(text)
        return true
      } catch {
        return false
      }
    },
    async call(call) {
      const { url, host, port } = parseUrl(call.url)
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), call.timeout)
      const timeout = new Promise<never>((_, reject) =>
        deadline.signal.addEventListener('abort', () => reject(new OutboundError('timeout'))),
      )
      try {
        const addresses = await Promise.race([addressesOf(host, port), timeout])
        for (const [index, address] of addresses.entries())
          try {
            return await sendRequest(call, url, { host, address, port }, deadline.signal)
          } catch (error) {
            if (deadline.signal.aborted) throw new OutboundError('timeout')
            const isRetryable =
              index + 1 < addresses.length && retryableCodes.has((error as { code?: string }).code ?? '')
            if (!isRetryable) throw new OutboundError('connection')
          }
        throw new OutboundError('lookup')
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const localAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap(each => (each ?? []).map(({ address }) => address))

/** Sends one request to one address. Uses the URL's host name for the Host header and the certificate check. */
function sendRequest(
  call: OutboundCall,
  url: URL,
  target: { host: string; address: string; port: number },
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const { body = '' } = call
  /** Set once the response begins. From then on, the response is returned even if its body is incomplete. */
  let finish: (() => void) | undefined
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? secureRequest : plainRequest
    const outgoing = request(
      {
        method: call.method,
        host: target.address,
        port: target.port,
        path: `${url.pathname}${url.search}`,
        headers: { ...call.headers, Host: url.host, 'Content-Length': Buffer.byteLength(body) },
        // TLS doesn't allow an IP address as the server name.
        ...(isIP(target.host) === 0 ? { servername: target.host } : {}),
        agent: false,
        signal,
      },
      answer => {
        const parts: Buffer[] = []
        let size = 0
        finish = () => {
          resolve({
            status: answer.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
            ),
            header: name => [answer.headers[name.toLowerCase()] ?? null].flat()[0] ?? null,
            body: Buffer.concat(parts).subarray(0, call.limit),
          })
          outgoing.destroy()
        }
        answer.on('data', (part: Buffer) => {
          parts.push(part)
          size += part.length
          if (size >= call.limit) finish?.()
        })
        answer.on('end', finish)
        answer.on('error', finish)
      },
    )
    outgoing.on('error', error => (finish ? finish() : reject(error)))
    outgoing.end(body)
  })
}
