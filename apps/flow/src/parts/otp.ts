/** The code out of the text message itself, where the browser offers that (WebOTP) and the person agrees. */

interface OtpCredential extends Credential {
  code: string
}

/** The request that began last. */
let latest: AbortController | null = null

/** The code of the next text for this page; null if there is no code or the browser can't. Ends with the signal. */
export async function readTextMessage(window: Window, signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null
  const request = new AbortController()
  latest = request
  // Chromium has one request for each page, which a later one replaces. It ends the whole page if a request is aborted
  // that is not there, so only the latest one is, and once.
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
    // Refused, aborted or not allowed in this frame: typing always works.
    return null
  } finally {
    if (latest === request) latest = null
  }
}
