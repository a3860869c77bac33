/** The hashes of a page's inline script and styles, such as `'sha256-…'`. */
export interface Inline {
  script: string
  style?: string
}

const policy = (frameAncestors: string, handset: readonly string[], inline: Inline | null) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...(inline ? [inline.script] : [])].join(' '),
    ["style-src 'self'", ...(inline?.style ? [inline.style] : [])].join(' '),
    "img-src 'self' data:",
    ["connect-src 'self'", ...handset].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

/**
 * Returns the headers of a page that this listener serves.
 * @param handset origins that the page may call from the handset, so that the carrier can identify the handset's owner.
 * Redirects from these origins pass through servers that don't support isolated pages, so the page sends requests
 * without credentials and accepts responses without an isolation header.
 * @param inline the hashes of the page's own script and styles. The policy allows only these hashes, so no other script
 * in the page can run.
 */
export const pageHeaders = (frameAncestors: string, handset: readonly string[] = [], inline: Inline | null = null) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy(frameAncestors, handset, inline),
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  // An isolated page can embed only resources that allow embedding.
  'Cross-Origin-Embedder-Policy': handset.length > 0 ? 'credentialless' : 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
})
