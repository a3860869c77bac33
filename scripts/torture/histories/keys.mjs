/** The lists of a history. Clients move on to new lists, so that no list becomes long. */
const WINDOW_MS = 500
const WIDTH = 5
const COUNT = 2_000

const nameOf = number => `list ${String(number).padStart(4, '0')}`

export const allKeys = Array.from({ length: COUNT }, (_, number) => nameOf(number))

/** Returns the lists that clients use at a time. @param ms the time since the history began */
export function keysAt(ms) {
  const first = Math.floor(ms / WINDOW_MS) % (COUNT - WIDTH)
  return Array.from({ length: WIDTH }, (_, at) => nameOf(first + at))
}
