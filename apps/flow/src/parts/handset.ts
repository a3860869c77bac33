/** Verifies a phone through its mobile network: a carrier recognizes its own handset when the handset opens a URL. */

/** The timeout for a carrier, in ms. A text message would arrive within that time. */
const PATIENCE = 5_000

/** True if the browser reports that this device is on a mobile network. */
export const isOnMobileNetwork = (): boolean =>
  (navigator as { connection?: { type?: string } }).connection?.type === 'cellular'

/**
 * Opens the URLs of a carrier, all at once.
 * @returns true if any could be opened in time; the service queries the carrier for the outcome
 */
export async function openAddresses(addresses: readonly string[]): Promise<boolean> {
  const init: RequestInit = {
    mode: 'no-cors',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(PATIENCE),
  }
  const opened = await Promise.allSettled(addresses.map(address => fetch(address, init)))
  return opened.some(({ status }) => status === 'fulfilled')
}
