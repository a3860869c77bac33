/**
 * Returns the headers that are sent with every response from an origin. These headers prevent a browser from guessing
 * the content type, embedding the response, or loading other resources for it. If the origin uses HTTPS, the headers
 * also make the browser use only HTTPS. Pages replace the content security policy with their own.
 */
export const safeHeaders = (origin: string): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  ...(origin.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
})
