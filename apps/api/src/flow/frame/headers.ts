const policy = (frameAncestors: string, handset: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...handset].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

/**
 * What every page of this listener is sent with.
 * @param handset where it may send the handset, so that the carrier says whose it is. Such an address leads through servers
 * that know nothing of isolated pages, so they are asked without credentials, and may answer without a header for it.
 */
export const pageHeaders = (frameAncestors: string, handset: readonly string[] = []) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy(frameAncestors, handset),
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  // A page that isolates itself embeds only what agrees to it.
  'Cross-Origin-Embedder-Policy': handset.length > 0 ? 'credentialless' : 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
})
