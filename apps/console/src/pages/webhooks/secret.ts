/** Creates a secret in the Standard Webhooks format: 32 random bytes. */
export const newSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
