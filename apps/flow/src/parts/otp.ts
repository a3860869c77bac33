/** Reads the code from a text message if the browser supports WebOTP and the person agrees. */

interface OtpCredential extends Credential {
  code: string
}

/** The most recent request. */
let latest: AbortController | null = null

/**
 * Returns the code from the next text message for this page; null if there is no code or the browser can't read it.
 * Stops waiting when the signal is aborted.
 */
export async function readTextMessage(window: Window, signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null
  const request = new AbortController()
  latest = request
  // Chromium allows one request per page, and a new request replaces the previous one. Aborting a request that no
  // longer exists makes Chromium close the whole page, so abort only the latest request, and only once.
  signal.addEventListener('abort', () => {
    if (latest !== request) return
    latest = null
    request.abort()
  })
  try {
    const options = { otp: { transport: ['sms'] }, signal: request.signal } as CredentialRequestOptions
    const found = (await window.navigator.credentials.get(options)) as OtpCredential | null
    return signal.aborted ? null : (found?.code ?? null)
  } catch {
    // The request was rejected or aborted, or it isn't allowed in this frame. The person can always type the code.
    return null
  } finally {
    if (latest === request) latest = null
  }
}
