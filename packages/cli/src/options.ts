import type { Causeway, Event } from '@causeway/sdk'
import { UsageError } from './io.js'

/**
 * The shortest interval between checks, in milliseconds. A shorter one would add load for little benefit.
 */
const MIN_INTERVAL_MS = 200

/** The option for commands that poll the service. */
export const pollOptions = { interval: { type: 'string', default: '1000' } } as const
export const pollHelp = `  --interval <ms>      How often to check, at least ${MIN_INTERVAL_MS}. Default: 1000.`

/** The options for commands that wait for events. */
export const watchOptions = { types: { type: 'string' }, ...pollOptions } as const
export const watchHelp = `  --types <a,b>        Only events of these types, such as payment.update,opal_session.update.
${pollHelp}`

/** @returns the interval in milliseconds */
export function readInterval(interval: string): number {
  const ms = /^\d{1,6}$/.test(interval) ? Number(interval) : 0
  if (ms < MIN_INTERVAL_MS)
    throw new UsageError(`--interval must be a number of milliseconds, at least ${MIN_INTERVAL_MS}.`)
  return ms
}

/** @returns the list of events, the filter and the interval specified by the options */
export function readWatchOptions(
  causeway: Causeway,
  { types = '', interval }: { types?: string | undefined; interval: string },
) {
  const wanted = new Set(types.split(',').filter(Boolean))
  return {
    list: (signal: AbortSignal) => causeway.events.list({}, { signal }),
    wants: ({ type }: Event) => wanted.size === 0 || wanted.has(type),
    interval: readInterval(interval),
  }
}
