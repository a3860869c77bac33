import { UsageError } from './io.js'

/** Looking more often than this costs the service more than it tells. */
const SHORTEST = 200

/** The options of what looks for events. */
export const watching = {
  types: { type: 'string' },
  interval: { type: 'string', default: '1000' },
} as const

export const watchingHelp = `  --types <a,b>        Only events of these types, such as payment.update,opal_session.update.
  --interval <ms>      How often to check, at least ${SHORTEST}. Default: 1000.`

/** @returns types and interval as a watch takes them */
export function readWatching({ types = '', interval }: { types?: string | undefined; interval: string }) {
  const ms = /^\d{1,6}$/.test(interval) ? Number(interval) : 0
  if (ms < SHORTEST) throw new UsageError(`--interval must be a number of milliseconds, at least ${SHORTEST}.`)
  return { types: new Set(types.split(',').filter(Boolean)), interval: ms }
}
