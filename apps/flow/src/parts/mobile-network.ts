/** Returns true if the browser reports that this device is on a mobile network. */
export const isOnMobileNetwork = (): boolean =>
  (navigator as { connection?: { type?: string } }).connection?.type === 'cellular'
