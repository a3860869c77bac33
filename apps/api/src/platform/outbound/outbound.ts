import { Resolver } from 'node:dns/promises'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopbackAddress, isPublicAddress } from './addresses.js'

/**
 * Why nothing, or no answer, came of a call: `refused` before anything was sent, because the address is not one to call;
 * `lookup`: the name leads nowhere; `timeout`; `connection`: refused, reset, or no HTTP.
 */
export type OutboundFault = 'refused' | 'lookup' | 'timeout' | 'connection'

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
  /** As a customer gave it: nothing about it is trusted. */
  url: string
  headers: Record<string, string>
  body?: string
  /** For everything from the look-up to the last byte, ms. */
  timeout: number
  /** Bytes of the answer's body that are read at most; what follows is cut off. */
  limit: number
}

export interface OutboundAnswer {
  status: number
  header(name: string): string | null
  /** All of them, names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** Calls addresses that customers gave, and nothing of ours: not this machine, not the network that it stands in. */
export interface Outbound {
  /** True if addresses of this machine are called too: for trying things out. */
  readonly loopback: boolean
  /** True if an address could be called, as far as can be said without a look-up. */
  admits(url: string): boolean
  /** A redirect is an answer like any other. Throws {@link OutboundError}. */
  call(call: OutboundCall): Promise<OutboundAnswer>
}

export interface OutboundOptions {
  loopback: boolean
  /** Our own listeners: never called, whatever else is allowed. */
  ownPorts(): readonly number[]
  /** Addresses of this machine's interfaces. */
  ownAddresses?: () => readonly string[]
  /** All addresses of a name; throws or gives none where there are none. */
  resolve?: (name: string) => Promise<string[]>
  isPublic?: (address: string) => boolean
}

/** Asks name servers themselves: the system's own look-up blocks a thread that files and encryption share. */
async function resolveName(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return found.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
}

const isLocalName = (host: string) => host === 'localhost' || host.endsWith('.localhost')
/** Errors of an address that was never reached, so that the next one may be tried. */
const unreached = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'])

export function createOutbound(options: OutboundOptions): Outbound {
  const {
    loopback,
    ownPorts,
    ownAddresses = addressesHere,
    resolve = resolveName,
    isPublic = isPublicAddress,
  } = options
  const refused = () => new OutboundError('refused')
  /** True if one of our own listeners is reached there. */
  const isOurs = (address: string, port: number) =>
    ownPorts().includes(port) && (isLoopbackAddress(address) || ownAddresses().includes(address))

  /** The URL, its host as a bare name or address, and its port. Throws if it must not be called. */
  function read(text: string): { url: URL; host: string; port: number } {
    if (!URL.canParse(text)) throw refused()
    const url = new URL(text)
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
    const local = isLocalName(host) || isLoopbackAddress(host)
    const secure = url.protocol === 'https:'
    if (host === '' || url.username !== '' || url.password !== '') throw refused()
    if (!secure && !(url.protocol === 'http:' && local)) throw refused()
    if (local ? !loopback : isIP(host) !== 0 && !isPublic(host)) throw refused()
    const port = Number(url.port || (secure ? 443 : 80))
    if (isOurs(isLocalName(host) ? '127.0.0.1' : host, port)) throw refused()
    // Below 1024 stand other services, such as mail, that must not get bytes that a customer chose.
    if (!local && port !== 443 && port < 1_024) throw refused()
    return { url, host, port }
  }

  /** The address to connect to: every address of the name was checked, and no other will be used. */
  async function addressesOf(host: string, port: number): Promise<string[]> {
    if (isIP(host) !== 0) return [host]
    if (isLocalName(host)) return ['127.0.0.1', '::1']
    const found = await resolve(host).catch(() => [])
    if (found.length === 0) throw new OutboundError('lookup')
    if (!found.every(address => isPublic(address) && !isOurs(address, port))) throw refused()
    return found
  }

  return {
    loopback,
    admits(text) {
      try {
        read(text)
        return true
      } catch {
        return false
      }
    },
    async call(call) {
      const { url, host, port } = read(call.url)
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), call.timeout)
      const late = new Promise<never>((_, reject) =>
        deadline.signal.addEventListener('abort', () => reject(new OutboundError('timeout'))),
      )
      try {
        const addresses = await Promise.race([addressesOf(host, port), late])
        for (const [index, address] of addresses.entries())
          try {
            return await exchange(call, url, { host, address, port }, deadline.signal)
          } catch (error) {
            if (deadline.signal.aborted) throw new OutboundError('timeout')
            const next = index + 1 < addresses.length && unreached.has((error as { code?: string }).code ?? '')
            if (!next) throw new OutboundError('connection')
          }
        throw new OutboundError('lookup')
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const addressesHere = (): string[] =>
  Object.values(networkInterfaces()).flatMap(each => (each ?? []).map(({ address }) => address))

/** One request to one address, under the name that it was asked for: in its Host header and in its certificate. */
function exchange(
  call: OutboundCall,
  url: URL,
  at: { host: string; address: string; port: number },
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const { body = '' } = call
  /** Set once the answer is there: then it counts, though not all of its body came. */
  let done: (() => void) | undefined
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? secureRequest : plainRequest
    const sent = request(
      {
        method: call.method,
        host: at.address,
        port: at.port,
        path: `${url.pathname}${url.search}`,
        headers: { ...call.headers, Host: url.host, 'Content-Length': Buffer.byteLength(body) },
        // An address has no name to show.
        ...(isIP(at.host) === 0 ? { servername: at.host } : {}),
        agent: false,
        signal,
      },
      answer => {
        const parts: Buffer[] = []
        let size = 0
        done = () => {
          resolve({
            status: answer.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
            ),
            header: name => [answer.headers[name.toLowerCase()] ?? null].flat()[0] ?? null,
            body: Buffer.concat(parts).subarray(0, call.limit),
          })
          sent.destroy()
        }
        answer.on('data', (part: Buffer) => {
          parts.push(part)
          size += part.length
          if (size >= call.limit) done?.()
        })
        answer.on('end', done)
        answer.on('error', done)
      },
    )
    sent.on('error', error => (done ? done() : reject(error)))
    sent.end(body)
  })
}
