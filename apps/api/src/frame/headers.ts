const policy = (frameAncestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

/** What every page of this listener is sent with. */
export const pageHeaders = (frameAncestors: string) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy(frameAncestors),
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'X-Content-Type-Options': 'nosniff',
  // A page that isolates itself embeds only what agrees to it.
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
})
