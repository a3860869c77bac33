/**
 * Verifies a phone number through its mobile network: when a phone opens a URL over its mobile connection, the carrier
 * recognizes the phone.
 */

/** The time to wait for a carrier, in milliseconds. By then, a text message would have arrived. */
const CARRIER_TIMEOUT_MS = 5_000

/**
 * Opens all of a carrier's URLs at the same time.
 * @returns true if at least one could be opened in time; the service then requests the outcome from the carrier
 */
export async function openCarrierUrls(addresses: readonly string[]): Promise<boolean> {
  const init: RequestInit = {
    mode: 'no-cors',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(CARRIER_TIMEOUT_MS),
  }
  const opened = await Promise.allSettled(addresses.map(address => fetch(address, init)))
  return opened.some(({ status }) => status === 'fulfilled')
}
