/** Builds the summary for the health page. Pure functions. */
import type { Console } from '../../page.js'
import type { Answer } from '../../parts/answer.js'
import type { Health } from '../../shapes.js'
import { words } from '../../words.js'

const { say } = words.health

/** If a due job has waited longer than this, workers are stuck or too few are running. */
const MAX_LAG_SECONDS = 60

export function answerOf({ format }: Pick<Console, 'format'>, health: Health): Answer {
  const { jobs, ledger, payments_stopped, teams_stopped, lanes_paused } = health
  const wrong: Answer['points'] = []
  if (payments_stopped !== null) wrong.push([say.stopped, say.allStopped(format.text(payments_stopped, 'moment'))])
  if (teams_stopped > 0) wrong.push([say.stopped, say.teamsStopped(teams_stopped)])
  if (ledger && !ledger.ok) wrong.push([say.ledger, say.ledgerBody(ledger.faulty)])
  if (ledger && ledger.receivable.payments > 0) {
    const { payments, cents } = ledger.receivable
    wrong.push([say.receivable, say.receivableBody(payments, format.money(cents))])
  }
  if (jobs.dead > 0) wrong.push([say.jobs, say.jobsBody(jobs.dead)])
  if (jobs.missing > 0) wrong.push([say.missing, say.missingBody(jobs.missing)])
  if (jobs.lag_seconds > MAX_LAG_SECONDS) wrong.push([say.lag, say.lagBody(format.span(jobs.lag_seconds * 1000))])
  if (lanes_paused > 0) wrong.push([say.lanes, say.lanesBody(lanes_paused)])
  if (wrong.length === 0) return { tone: 'good', title: say.well, points: [] }
  const isBad = jobs.dead > 0 || jobs.missing > 0 || ledger?.ok === false
  return {
    tone: isBad ? 'bad' : 'warn',
    title: wrong.length === 1 ? say.one : say.several(wrong.length),
    points: wrong,
  }
}
