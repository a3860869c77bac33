import { BlockList, isIP } from 'node:net'

/** Parses a single address, or a range such as `192.0.2.0/24`. Returns null if the text is neither. */
function readRange(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', length] = text.split('/')
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (version === 0 || prefix < 0 || prefix > bits) return null
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Returns true if the text is an IP address or a range of addresses. */
export const isRange = (text: string): boolean => readRange(text) !== null

/**
 * Removes the parts that some proxies and sockets add to an address: brackets, a port, a zone or the IPv4-mapped IPv6
 * prefix.
 */
const plain = (text: string) =>
  text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d{1,5}$/, '$1')
    .split('%', 1)[0]!
    .replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Returns a function that determines a request's client address. `X-Forwarded-For` is used only if one of our own
 * proxies sent it, because any client can send that header.
 */
export function createAddressOf(proxies: readonly string[]): (remote: string, forwarded: string | undefined) => string {
  const ours = new BlockList()
  for (const range of proxies.map(readRange)) if (range) ours.addSubnet(range.address, range.prefix, range.family)
  const isOurs = (address: string) => {
    const version = isIP(address)
    return version !== 0 && ours.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
  return (remote, forwarded) => {
    let address = plain(remote)
    const chain = forwarded?.split(',').map(plain) ?? []
    while (chain.length > 0 && isOurs(address)) {
      const before = chain.pop()!
      if (isIP(before) === 0) break
      address = before
    }
    return address
  }
}

/**
 * Returns the network under which rate limits count an address: the address itself for IPv4, or its /64 network for
 * IPv6. Providers commonly assign a whole /64 network to a single customer.
 */
export function networkOf(address: string): string {
  const text = plain(address)
  if (isIP(text) !== 6) return text
  // The canonical form writes the IPv4 part of an IPv6 address in hexadecimal and the longest run of zeros as `::`.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  if (before.length === 0 && after.length === 3 && after[0] === 'ffff')
    return after
      .slice(1)
      .flatMap(part => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255])
      .join('.')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}
