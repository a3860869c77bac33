/** Identification of a phone by its network: a carrier recognizes its own handset by the address that it opens. */

/** The longest that a carrier may take, in ms; a text message would be there by then. */
const PATIENCE = 5_000

/** True if this device is on a mobile network, as far as the browser tells. */
export const isOnMobileNetwork = (): boolean =>
  (navigator as { connection?: { type?: string } }).connection?.type === 'cellular'

/**
 * Opens the addresses of a carrier, all at once.
 * @returns whether any could be opened in time; what came of it the service asks the carrier itself
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
