/** What the health page says in a sentence: pure. */
import type { Console } from '../page.js'
import type { Answer } from '../parts/answer.js'
import type { Health, LedgerCheck } from '../shapes.js'
import { words } from '../words.js'

const { say } = words.health

/** A due job that waits longer than this says that workers are stuck or too few. */
const LAG_SECONDS = 60

/** @param ledger the last check; null while it is read */
export function answerOf(
  { format }: Pick<Console, 'format'>,
  { jobs, requests }: Health,
  ledger: LedgerCheck | null,
): Answer {
  const faults = ledger?.faults.length ?? 0
  const wrong: Answer['points'] = []
  if (faults > 0) wrong.push([say.ledger, say.ledgerBody(format.count(faults))])
  if (jobs.dead > 0) wrong.push([say.jobs, say.jobsBody(format.count(jobs.dead))])
  if (jobs.lag_seconds > LAG_SECONDS) wrong.push([say.lag, say.lagBody(format.span(jobs.lag_seconds * 1000))])
  if (requests.failed > 0) wrong.push([say.errors, say.errorsBody(format.count(requests.failed))])
  if (wrong.length === 0) return { tone: 'good', title: say.well, points: [] }
  const isBad = faults > 0 || jobs.dead > 0
  return {
    tone: isBad ? 'bad' : 'warn',
    title: wrong.length === 1 ? say.one : say.several(wrong.length),
    points: wrong,
  }
}
