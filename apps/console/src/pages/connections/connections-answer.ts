/** Builds the summary for the page of providers. Pure functions. */
import type { Console } from '../../page.js'
import type { Answer } from '../../parts/answer.js'
import type { RepairCount } from '../../shapes.js'
import { wordOf, words } from '../../words.js'
import type { Connection, Exception, Notice, OperatorList, Payee } from './shapes.js'

const { connections: text } = words
const { say } = text

/** The share of failed calls from which a provider needs attention, if at least {@link MIN_FAILURES} failed. */
const MAX_FAILURE_SHARE = 0.05
const MIN_FAILURES = 3

/** Counts a page's rows. The count of an incomplete page ends with a plus sign. */
const countText = ({ format }: Pick<Console, 'format'>, count: number, { next_cursor }: OperatorList<unknown>) =>
  `${format.count(count)}${next_cursor === null ? '' : '+'}`

/** Writes the number of people who must sign in again. A plus sign follows if there are more. */
export const repairText = ({ format }: Pick<Console, 'format'>, { count, more }: RepairCount): string =>
  `${format.count(count)}${more ? '+' : ''}`

/** The first pages of what waits for an operator. Null if a page is not loaded. */
interface Waiting {
  /** Payees that wait for a second person. */
  proposals: OperatorList<Payee> | null
  notices: OperatorList<Notice> | null
  /** The people who must sign in to an institution again. */
  repairs: RepairCount
  /** Differences that are not explained. */
  exceptions: OperatorList<Exception> | null
}

export function answerOf(
  console: Pick<Console, 'format'>,
  connections: readonly Connection[],
  { proposals, notices, exceptions, repairs }: Waiting,
): Answer {
  const { format } = console
  const points: Answer['points'] = []
  for (const { title, key_rejected_at, settings } of connections) {
    if (key_rejected_at === null) continue
    const secrets = settings.flatMap(({ name, is_secret, is_set }) => (is_secret && is_set ? [name] : []))
    points.push([say.key, say.keyBody(title, format.text(key_rejected_at, 'moment'), secrets.join(' and '))])
  }
  const isBad = points.length > 0
  for (const { title, day, last_failure } of connections) {
    if (!day || day.failures < MIN_FAILURES || day.failures / day.calls < MAX_FAILURE_SHARE) continue
    const last = last_failure ? wordOf(text.failures, last_failure.kind) : ''
    points.push([say.failing, say.failingBody(title, format.count(day.failures), format.count(day.calls), last)])
  }
  if (exceptions && exceptions.data.length > 0)
    points.push([say.exceptions, say.exceptionsBody(countText(console, exceptions.data.length, exceptions))])
  if (proposals && proposals.data.length > 0)
    points.push([say.proposals, say.proposalsBody(countText(console, proposals.data.length, proposals))])
  const open = notices?.data.filter(({ state }) => state === 'open').length ?? 0
  if (notices && open > 0) points.push([say.notices, say.noticesBody(countText(console, open, notices))])
  if (repairs.count > 0) points.push([say.repairs, say.repairsBody(repairText(console, repairs))])
  if (points.length === 0) return { tone: 'good', title: say.well, points }
  return { tone: isBad ? 'bad' : 'warn', title: points.length === 1 ? say.one : say.several(points.length), points }
}

/** Returns the names of methods by port, such as `send_code` of `identity/send_code`. */
export function methodsByPort(paths: readonly string[]): [port: string, methods: string[]][] {
  const ports = new Map<string, string[]>()
  for (const path of paths) {
    const [port = '', method = ''] = path.split('/')
    ports.set(port, [...(ports.get(port) ?? []), method])
  }
  return [...ports]
}
