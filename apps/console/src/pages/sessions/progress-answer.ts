/** Builds the summary of the current step from the service's codes, for the person and session pages. */
import type { OpalSession, SessionProgress } from '@causeway/sdk'
import type { Format } from '../../format.js'
import type { Console } from '../../page.js'
import type { Answer } from '../../parts/answer.js'
import type { PathStep } from '../../parts/step-path.js'
import { may } from '../../shapes.js'
import { HOUR_MS } from '../../time.js'
import { type Guidance, wordOf, words } from '../../words.js'
import { owedOf } from '../payments/retry-payments.js'

/** Steps at which a long wait doesn't mean that the person needs help. */
const calm = new Set(['discovering', 'done'])
/** Steps at which the person has nothing left to do. */
const ends = new Set(['done', 'manage'])

/** Returns true if the person has been at one step long enough to need help. */
export const isStuck = (progress: SessionProgress, now: number): boolean =>
  !ends.has(progress.step) && progress.waits_for !== 'nothing' && now - Date.parse(progress.since) > HOUR_MS

/** What the console knows about a person beyond the progress of their session. */
export interface PersonFacts {
  /** The name of the account that the current step is about. */
  account?: string | undefined
  /** True if the person's phone number is known, from the customer or because they typed it. */
  hasPhone?: boolean
}

/** Returns the row of help for a person at their current step; null if they have nothing left to do. */
function guidanceOf(
  { step, waits_for, retry_at }: Pick<SessionProgress, 'step' | 'waits_for' | 'retry_at'>,
  { hasPhone }: PersonFacts,
): Guidance | null {
  if (ends.has(step) && waits_for !== 'release') return null
  if (step === 'phone' && hasPhone) return words.guidance['known_phone'] ?? null
  if (step !== 'blocked') return words.guidance[step] ?? null
  return words.guidance[waits_for === 'person' ? 'retry' : retry_at ? 'locked' : 'blocked'] ?? null
}

const { session: text } = words

/** Returns the summary of a session. The person's page and the session's page show the same one. */
export function sessionAnswer(
  console: Pick<Console, 'format' | 'now' | 'session'>,
  session: OpalSession,
  progress: SessionProgress | null,
  facts: PersonFacts = {},
): Answer {
  const { bt } = session
  const status = sessionStatus(session)
  const isYours = may(console.session, 'payments')
  const answer = (tone: Answer['tone'], title: string, todo: string, owed = ''): Answer => ({
    tone,
    title,
    points: [
      [text.owed, owed],
      [words.answer.todo, todo],
    ],
  })
  if (status === 'not_them') return answer('bad', text.say.notThem, text.todo.notThem)
  if (bt?.unpaid)
    return answer(
      'bad',
      bt.none_paid ? text.say.nonePaid : text.say.errors(bt.unpaid.length, Object.keys(bt.allocations).length),
      text.todo.errors(isYours),
      console.format.money(owedOf(session)),
    )
  if (status === 'released')
    return answer('good', bt?.rest_payment_ids ? text.say.restPaid : text.say.released, text.todo.done)
  if (status === 'pending_release' || status === 'completed')
    return bt
      ? answer('warn', text.say.release(isYours), releaseTodo(isYours))
      : answer('good', text.say.done, text.todo.done)
  if (!progress) return answer('calm', wordOf(words.status, status), words.todo.link)
  return progressAnswer(console, progress, facts)
}

const releaseTodo = (isYours: boolean): string => (isYours ? words.todo.release : words.todo.askRelease)

/** Returns the summary of a person's current step. */
export function progressAnswer(
  { format, now, session }: Pick<Console, 'format' | 'now' | 'session'>,
  progress: SessionProgress,
  facts: PersonFacts = {},
): Answer {
  const { account = words.theAccount, hasPhone } = facts
  const { step, since, last_code, retry_at, tries_left, tries_used, can_skip } = progress
  const screen = step === 'phone' && hasPhone ? 'known_phone' : step
  const wrong = tries_used ? `${words.wrong(tries_used)}${wordOf(words.seesWrong, step)}` : ''
  const sees = [words.sees[screen]?.(account) ?? step, wrong, tries_left === null ? '' : words.triesLeft(tries_left)]
    .filter(Boolean)
    .join(' ')
  const guidance = guidanceOf(progress, facts)
  if (!guidance)
    return { tone: 'good', title: words.session.say.done, points: [[words.answer.todo, words.session.todo.done]] }
  const isYours = may(session, 'payments')
  const isRelease = guidance.todo === 'release'
  const todo: Answer['points'][number] = [
    words.answer.todo,
    isRelease ? releaseTodo(isYours) : words.todo[guidance.todo],
  ]
  if (progress.steps.length === 0) return { tone: 'calm', title: words.unopened, points: [todo] }
  return {
    tone: step === 'blocked' ? 'bad' : calm.has(step) ? 'calm' : 'warn',
    title: isRelease ? text.say.release(isYours) : wordOf(words.stuckAt, screen),
    points: [
      [words.answer.why, wordOf(words.blocked, last_code), last_code ?? ''],
      [
        words.answer.since,
        words.stuckSince(`${format.text(since, 'moment')} ${format.zoneName}`, format.span(now() - Date.parse(since))),
      ],
      [words.answer.sees, sees],
      [
        words.answer.helps,
        retry_at ? words.freeAt(`${format.text(retry_at, 'moment')} ${format.zoneName}`) : guidance.helps,
      ],
      [words.answer.or, can_skip ? words.skippable : ''],
      todo,
    ],
  }
}

export const progressStops = (format: Format, { steps, step: at }: SessionProgress): PathStep[] => {
  const found = steps.findIndex(({ step }) => step === at)
  // If a session is done or blocked, its current step isn't in the list of steps.
  const index = found < 0 ? steps.length - 1 : found
  return steps.map(({ step, at: reached, tries }, position): PathStep => {
    const isHere = position === found && !ends.has(step)
    return {
      name: wordOf(words.steps, step),
      note: isHere && tries > 1 ? words.session.shown(tries) : reached ? format.text(reached, 'clock') : '',
      state: isHere ? 'here' : position <= index ? 'done' : 'ahead',
      tone: isHere ? 'amber' : 'good',
    }
  })
}

/** Returns true if a link lets the person continue the session. */
export const isContinuable = (
  session: OpalSession,
  progress: SessionProgress | null,
  facts: PersonFacts = {},
): boolean => {
  const status = sessionStatus(session)
  // A link for the right person opens the session again, which stays blocked until then.
  if (status === 'not_them') return true
  return ['open', 'left'].includes(status) && (progress === null || guidanceOf(progress, facts)?.todo === 'link')
}

/**
 * Returns the session that a person's page is about: one with unpaid accounts, else one that the person can
 * continue, else the latest. A session that another one of its mode has replaced is over, even if the person left it open.
 * @param sessions the person's sessions, latest first
 */
export function sessionToShow(sessions: readonly OpalSession[]): OpalSession | null {
  const isUnfinished = (session: OpalSession) => ['open', 'left'].includes(sessionStatus(session))
  const isReplaced = ({ mode }: OpalSession, index: number) =>
    sessions.slice(0, index).some(later => later.mode === mode && !isUnfinished(later))
  return (
    sessions.find(({ bt }) => bt?.unpaid) ??
    sessions.find((each, index) => isUnfinished(each) && !isReplaced(each, index)) ??
    sessions[0] ??
    null
  )
}

/** Returns the status to show for a session. */
export function sessionStatus({ bt, completed_at, exited_at, not_me_at }: OpalSession): string {
  if (not_me_at) return 'not_them'
  if (bt?.payout_status === 'released') return bt.none_paid ? 'failed' : bt.unpaid ? 'partly_paid' : 'released'
  if (bt?.completed) return 'pending_release'
  if (completed_at) return 'completed'
  return exited_at ? 'left' : 'open'
}
