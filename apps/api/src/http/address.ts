import { BlockList, isIP } from 'node:net'

/** `192.0.2.0/24` or one address. Null where it is neither. */
function readRange(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', length] = text.split('/')
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (version === 0 || prefix < 0 || prefix > bits) return null
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Whether a text names an address or a range of them. */
export const isRange = (text: string): boolean => readRange(text) !== null

const plain = (address: string) => address.trim().replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Where a request comes from. A proxy's word for it (`X-Forwarded-For`) counts only where the proxy is one of ours:
 * anybody can send the header.
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
    while (isOurs(address) && chain.length > 0) {
      const before = chain.pop()!
      if (isIP(before) === 0) break
      address = before
    }
    return address
  }
}
