import type { Causeway, Event } from '@causeway/sdk'
import { UsageError } from './io.js'

/**
 * The shortest interval between checks, in milliseconds. A shorter one would add load for little benefit.
 */
const SHORTEST = 200

/** The option for commands that poll the service. */
export const looking = { interval: { type: 'string', default: '1000' } } as const
export const lookingHelp = `  --interval <ms>      How often to check, at least ${SHORTEST}. Default: 1000.`

/** The options for commands that wait for events. */
export const watching = { types: { type: 'string' }, ...looking } as const
export const watchingHelp = `  --types <a,b>        Only events of these types, such as payment.update,opal_session.update.
${lookingHelp}`

/** @returns the interval in milliseconds */
export function readInterval(interval: string): number {
  const ms = /^\d{1,6}$/.test(interval) ? Number(interval) : 0
  if (ms < SHORTEST) throw new UsageError(`--interval must be a number of milliseconds, at least ${SHORTEST}.`)
  return ms
}

/** @returns the list of events, the filter and the interval specified by the options */
export function readWatching(
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
