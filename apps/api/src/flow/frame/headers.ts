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
 * Headers of every page of this listener.
 * @param handset addresses that may receive the handset, so that the carrier identifies its owner. Such an address
 * leads through servers that do not support isolated pages, so they are requested without credentials, and may answer
 * without a header for it.
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
