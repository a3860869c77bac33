/**
 * Headers of every answer of an origin: a browser takes no answer for another type than it says, neither embeds an answer nor
 * loads anything by it, and comes back over https alone where the origin is https. A page replaces the policy by its own.
 */
export const safeHeaders = (origin: string): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  ...(origin.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
})
