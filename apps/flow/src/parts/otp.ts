/** The code out of the text message itself, where the browser offers that (WebOTP) and the person agrees. */

interface OtpCredential extends Credential {
  code: string
}

/** The code of the next text for this page; null if there is no code or the browser can't. Ends with the signal. */
export async function readTextMessage(window: Window, signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null
  try {
    const options = { otp: { transport: ['sms'] }, signal } as CredentialRequestOptions
    const found = (await window.navigator.credentials.get(options)) as OtpCredential | null
    return found?.code ?? null
  } catch {
    // Refused, aborted or not allowed in this frame: typing always works.
    return null
  }
}
