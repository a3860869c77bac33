/**
 * Headers of every response of an origin. A browser doesn't guess the content type, doesn't embed the response or load
 * anything from it, and uses only https afterward if the origin does. A page replaces the policy with its own.
 */
export const safeHeaders = (origin: string): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  ...(origin.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
})
