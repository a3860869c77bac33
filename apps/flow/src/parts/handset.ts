/**
 * Verifies a phone number through its mobile network: when a phone opens a URL on its own connection, the carrier
 * recognizes the phone.
 */

/** The time to wait for a carrier, in milliseconds. A text message would arrive within that time. */
const PATIENCE = 5_000

/** True if the browser reports that this device is on a mobile network. */
export const isOnMobileNetwork = (): boolean =>
  (navigator as { connection?: { type?: string } }).connection?.type === 'cellular'

/**
 * Opens all of a carrier's URLs at the same time.
 * @returns true if any could be opened in time; the service then requests the outcome from the carrier
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
