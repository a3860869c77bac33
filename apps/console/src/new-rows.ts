/** Keeps the new rows of a list, newest first, out of sight until the user asks for them. */
import type { List } from './api.js'

interface Row {
  id: string
}

export interface Held<T> {
  /** The page that is shown: earlier rows in their current state, without the new ones. */
  shown: List<T>
  /** The number of new rows, as far as the latest page has them. */
  count: number
  /** True if there are more new rows than were counted. */
  isCapped: boolean
}

export const allShown = <T>(shown: List<T>): Held<T> => ({ shown, count: 0, isCapped: false })

/**
 * Compares the latest first page of a list with the one that is shown. The rows above the first one that is shown are
 * new. A row that no longer matches the list's filters disappears, and one that matches them now appears. Earlier rows
 * that are no longer on the first page stay.
 */
export function holdNewRows<T extends Row>(shown: List<T>, latest: List<T>): Held<T> {
  const places = new Map(shown.data.map(({ id }, index) => [id, index]))
  const stillListed = latest.data.filter(({ id }) => places.has(id))
  const [first] = stillListed
  const count = first ? latest.data.indexOf(first) : latest.data.length
  const end = places.get(stillListed.at(-1)?.id ?? '') ?? -1
  const rest = latest.next === null ? [] : shown.data.slice(end + 1)
  const data = [...latest.data.slice(count), ...rest]
  if (data.length === 0) return allShown(latest)
  return {
    shown: { ...latest, data, next: rest.length > 0 ? shown.next : latest.next },
    count,
    isCapped: !first && latest.next !== null,
  }
}
