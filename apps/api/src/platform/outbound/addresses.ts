import { BlockList, isIP } from 'node:net'

/**
 * Addresses outside the public internet: the addresses of this machine, of private networks and of carrier networks, as
 * well as translated, tunneled, documentation, multicast and reserved addresses. The list combines the IANA
 * special-purpose registries with the cloud providers' metadata addresses, from which a machine's secrets can be read.
 */
const specialRanges = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])
  addSpecialRange(range, 'ipv4')
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])
  addSpecialRange(range, 'ipv6')

/**
 * The only IPv6 range assigned to public hosts. All other addresses are special, including `::/96`, `64:ff9b::/96` and
 * `fc00::/7`.
 */
const publicRange = new BlockList()
publicRange.addSubnet('2000::', 3, 'ipv6')

function addSpecialRange(range: string, family: 'ipv4' | 'ipv6'): void {
  const [net, bits] = range.split('/') as [string, string]
  specialRanges.addSubnet(net, Number(bits), family)
}

/** Returns true if a string is an address on the public internet. The address must not be in brackets. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !specialRanges.check(address, 'ipv4')
  return family === 6 && publicRange.check(address, 'ipv6') && !specialRanges.check(address, 'ipv6')
}

/** Returns true if an address is a loopback address. The address must not be in brackets. */
export const isLoopbackAddress = (address: string): boolean => /^127\./.test(address) || address === '::1'
