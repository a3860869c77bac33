/** Reads the code from the text message, if the browser supports that (WebOTP) and the person agrees. */

interface OtpCredential extends Credential {
  code: string
}

/** The most recent request. */
let latest: AbortController | null = null

/**
 * Returns the code of the next text message for this page; null if there is no code or the browser can't read it. Stops
 * when the signal is aborted.
 */
export async function readTextMessage(window: Window, signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null
  const request = new AbortController()
  latest = request
  // Chromium has one request per page, which a later one replaces. It closes the whole page if a request is aborted
  // that no longer exists, so only the latest one is aborted, and only once.
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
    // Rejected, aborted or not allowed in this frame. The person can always type the code.
    return null
  } finally {
    if (latest === request) latest = null
  }
}
