/** The hosts in the origins that the service announces if the configuration sets none. */

const wildcards = ['0.0.0.0', '::', '::0']

/** Returns the host of a URL that reaches a listener of this machine. @param host the address that it listens on */
export function hostInUrl(host: string): string {
  if (wildcards.includes(host)) return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Returns the host of a URL that browsers open, such as a frame's. Browsers resolve `localhost` to both loopback addresses
 * themselves, and a page's policy can't name an IPv6 address.
 */
export const hostInBrowserUrl = (host: string): string =>
  [...wildcards, '127.0.0.1', '::1'].includes(host) ? 'localhost' : hostInUrl(host)
