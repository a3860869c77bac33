/** Records what happened, for people as lines and for comparison as a hash. */
import { createHash } from 'node:crypto'

const seconds = ms => `+${(ms / 1_000).toFixed(3)} s`.padStart(13)

/** @param now returns the virtual time in ms */
export function createTimeline(now) {
  const hash = createHash('sha256')
  const lines = []
  return {
    lines,
    /** Adds details that only the hash contains. */
    mix(text) {
      hash.update(`${text}\n`)
    },
    /** Adds a line. @param who the actor */
    note(who, text) {
      const line = `${seconds(now())}  ${who.padEnd(10)} ${text}`
      hash.update(`${line}\n`)
      lines.push(line)
    },
    /** Ends the recording. @returns the hash of everything that happened */
    digest: () => hash.digest('hex').slice(0, 16),
  }
}
