/** The runs of the jobs. Another worker, a request or the rail can act between any two steps of a run. */
import type { PaymentStatus } from '@causeway/contract/resources/payment'
import { cancelAtRail, isKnown, reportOf, submitAtRail, ways } from './rail.js'
import {
  advance,
  codes,
  disturbance,
  end,
  type JobField,
  jobFields,
  type PaymentStep,
  planOf,
  type Rules,
  type State,
  transition,
  type Worker,
  workers,
} from './state.js'

type Action = ReturnType<Rules['submissionAction']> | 'follow'
/** The next step of a run: a call to the rail, or to save its result. */
type Phase = 'cancel' | 'submit' | 'query' | 'reverse' | 'save'

interface Run {
  field: JobField
  phase: Phase
  action: Action
  /** True if the payment's dates have changed since the run read them. */
  isOld: boolean
  /** The rail's answer, or for a report, its status, the side of its error, and `last` if it is the last one. */
  answer: string
}

const showRun = ({ field, phase, action, isOld, answer }: Run): string =>
  [field, phase, action, isOld ? 'old' : '', answer].join(':')

function readRun(text: string): Run | null {
  if (text === '') return null
  const [field, phase, action, old, answer] = text.split(':') as [JobField, Phase, Action, string, string]
  return { field, phase, action, isOld: old !== '', answer }
}

const nameOf = (state: State, field: JobField) =>
  ({ job: state.kind, look: 'look', cancelJob: 'cancel', reversalJob: 'reversal' })[field]

/** Returns the steps of both workers. */
export const runSteps = (state: State, rules: Rules): PaymentStep[] =>
  workers.flatMap(worker => {
    const run = readRun(state[worker])
    if (run === null) return jobFields.flatMap(field => claim(state, worker, field, rules))
    const isOwner = state[run.field] === worker
    const dead = { ...state, [worker]: '', ...(isOwner ? { [run.field]: 'waiting' } : {}) } as State
    return [...perform(state, worker, run, rules), disturbance(`${worker} is killed`, dead)]
  })

/** A worker claims a job that waits, or whose lease has expired although its worker still runs, and reads the rows. */
function claim(state: State, worker: Worker, field: JobField, rules: Rules): PaymentStep[] {
  const owner = state[field]
  if (owner === 'none') return []
  const isTakeover = owner !== 'waiting'
  const attempts = field === 'job' && state.kind === 'submit' ? Math.min(2, state.attempts + 1) : state.attempts
  const { mistake = state.mistake, ...run } = plan(state, field, attempts, rules)
  // No later step makes such a run necessary again, so it ends at once.
  if (run.action === 'none' && !isTakeover)
    return [
      {
        name: `${worker} claims the ${nameOf(state, field)} job and has nothing to do`,
        to: { ...state, [field]: 'none', ...(field === 'cancelJob' ? { isCancelKept: false } : {}) } as State,
      },
    ]
  const text = showRun({ field, isOld: false, answer: '', ...run })
  const name = `${worker} ${isTakeover ? 'takes over' : 'claims'} the ${nameOf(state, field)} job`
  const isCancelKept = state.isCancelKept || (field === 'cancelJob' && rules.keepsCancel)
  const to = { ...state, [field]: worker, attempts, mistake, isCancelKept, [worker]: text } as State
  return [{ name, to, disturbs: isTakeover }]
}

/**
 * Drops what can have no effect any more: a run that lost its job and only has to save or to query, and, once the rail
 * has decided about a payment and the payment has its result, everything but its reversal.
 */
export function dropIneffective(state: State, rules: Rules): State {
  const { status, rail } = state
  let to = state
  const isDecided = !rules.isTracked(status) && rail !== 'none' && rail !== 'pending' && rules.sendsSameId
  for (const worker of workers) {
    const run = readRun(state[worker])
    if (run === null) continue
    const isLost = rules.hasFence && state[run.field] !== worker && (run.phase === 'save' || run.phase === 'query')
    if (isLost || (isDecided && (run.field === 'job' || run.field === 'look'))) to = { ...to, [worker]: '' }
  }
  if (!isDecided) return to
  if (to.job !== 'none' || to.look !== 'none' || to.isHeld) to = { ...to, job: 'none', look: 'none', isHeld: false }
  if (status === 'canceled') return to
  for (const worker of workers) if (readRun(to[worker])?.field === 'cancelJob') to = { ...to, [worker]: '' }
  return to.cancelJob === 'none' && to.request === 'none'
    ? to
    : { ...to, cancelJob: 'none', isCancelKept: false, request: 'none' }
}

/** Decides what a run does, from the rows that it reads. */
function plan(
  { status, isHeld, isStopped, isSourceDisabled, reversal, kind }: State,
  field: JobField,
  attempt: number,
  rules: Rules,
): Pick<Run, 'action' | 'phase'> & { mistake?: string } {
  if (field === 'cancelJob')
    return status === 'pending' ? { action: 'cancel', phase: 'cancel' } : { action: 'none', phase: 'save' }
  if (field === 'reversalJob') {
    if (reversal === 'pending' && isStopped) return { action: 'wait', phase: 'save' }
    const isOpen = reversal === 'pending' || reversal === 'processing'
    return isOpen ? { action: 'follow', phase: 'reverse' } : { action: 'none', phase: 'save' }
  }
  const isSubmission = field === 'job' && kind === 'submit'
  const action = isSubmission
    ? rules.submissionAction({ status, isHeld, isStopped, attempt })
    : rules.isTracked(status)
      ? 'follow'
      : 'none'
  if (rules.mustCancelAtRail(status, isSourceDisabled ? codes.source : null)) return { action, phase: 'cancel' }
  const reason = isStopped ? 'payments are stopped' : isSourceDisabled ? 'its source is disabled' : null
  return {
    ...{ action, phase: phaseOf(action) },
    ...(action === 'submit' && reason ? { mistake: `a payment is submitted although ${reason}` } : {}),
  }
}

const phaseOf = (action: Action): Phase =>
  action === 'submit' || action === 'cancel' ? action : action === 'follow' ? 'query' : 'save'

function perform(state: State, worker: Worker, run: Run, rules: Rules): PaymentStep[] {
  const job = nameOf(state, run.field)
  const step = (name: string, to: State, change: Partial<Run>): PaymentStep => ({
    name: `${worker}, ${job} job: ${name}`,
    to: { ...to, [worker]: showRun({ ...run, ...change }) },
  })
  switch (run.phase) {
    case 'cancel': {
      const { answer, to } = cancelAtRail(state)
      const isOver = answer === 'canceled' || run.field === 'cancelJob' || run.action === 'cancel'
      return [
        step(`cancel at the rail, ${answer}`, to, isOver ? { phase: 'save', answer } : { phase: phaseOf(run.action) }),
      ]
    }
    case 'submit':
      return submitAtRail(state, rules).map(({ answer, to }) => {
        if (answer !== 'accepted') return step(`submit, ${answer}`, to, { phase: 'save', answer })
        const mistake = run.isOld ? 'the rail receives dates that have since changed' : to.mistake
        return step('submit, accepted', { ...to, mistake }, { phase: 'save', answer: showReport(to) })
      })
    case 'query':
      return [step(`query, ${reportOf(state).status}`, state, { phase: 'save', answer: showReport(state) })]
    case 'reverse': {
      const to: State = state.railReversal === 'none' ? { ...state, railReversal: 'pending' } : state
      return [step(`submit the reversal, ${to.railReversal}`, to, { phase: 'save', answer: to.railReversal })]
    }
    case 'save': {
      const isLost = rules.hasFence && state[run.field] !== worker
      const idle: State = { ...state, [worker]: '' }
      if (isLost) return [{ name: `${worker}, ${job} job: lost the lease, save nothing`, to: idle }]
      return save(idle, run, rules).map(to => ({ name: `${worker}, ${job} job: save`, to }))
    }
  }
}

function showReport(state: State): string {
  const { status, isLast } = reportOf(state)
  return `${status} ${isLast ? 'last' : ''}`
}

/** Saves the run's result, in the transaction that ends or reschedules its job. Returns each possible result. */
function save(state: State, run: Run, rules: Rules): State[] {
  const { field, action, answer } = run
  const [status, last] = answer.split(' ') as [PaymentStatus, string | undefined]
  if (last === undefined) return [saveAnswer(state, run, rules)]
  if (action === 'submit' && state.status === 'canceled') return [{ ...state, job: 'waiting', attempts: 0 }]
  return ways(status).map(({ error, destination }) => {
    const after = advance({ ...state, destination: state.destination ?? destination }, status, rules, error)
    if (field === 'look' || last || !rules.isTracked(after.status)) return { ...after, [field]: 'none' }
    return { ...after, job: 'waiting', attempts: 0, kind: 'follow' }
  })
}

/** Saves a result that is not a report of the payment's status. */
function saveAnswer(state: State, run: Run, rules: Rules): State {
  const { field, action, answer } = run
  const over = (to: State): State => ({ ...to, [field]: 'none' })
  const again = (to: State, attempts = 0): State => ({ ...to, [field]: 'waiting', attempts })
  const isPending = state.status === 'pending'
  if (field === 'cancelJob')
    return over({ ...((answer === 'canceled' && transition(state, 'canceled', rules)) || state), isCancelKept: false })
  if (field === 'reversalJob')
    return action === 'wait' ? { ...state, reversalJob: 'waiting' } : saveReversal(state, run, rules)
  if (action === 'none' || action === 'cancel') return over(state)
  if (answer === 'canceled') return over(end(state, 'source', rules))
  if (answer === 'refused') return over(advance(state, 'failed', rules, 'source'))
  if (answer === 'was canceled') return over(end(state, state.isSourceDisabled ? 'source' : 'canceled', rules))
  if (action === 'wait submitted') return again(state, 1)
  if (action === 'hold' && isPending) return again({ ...state, isHeld: true })
  if (action === 'resume' && isPending) return again(resume(state))
  return again(state)
}

/** Ends a hold, which gives the payment new dates. */
function resume(state: State): State {
  const mistake = isKnown(state.rail) ? 'the dates of a payment change after the rail has received it' : state.mistake
  const to: State = { ...state, isHeld: false, mistake }
  for (const worker of workers) {
    const run = readRun(to[worker])
    if (run?.action === 'submit') to[worker] = showRun({ ...run, isOld: true })
  }
  return to
}

function saveReversal(state: State, { action, answer }: Run, rules: Rules): State {
  if (state.reversal === null || action === 'none') return { ...state, reversalJob: 'none' }
  const reported = answer as 'pending' | 'processing' | 'sent' | 'failed'
  const reversal = { ...planOf(state, rules), status: state.reversal }
  const moves = rules.movesAfterReversalReport({ status: state.status, destination: 'destination' }, reversal, reported)
  let after: State = moves.reversal ? { ...state, reversal: moves.reversal } : state
  if (moves.payment) after = transition(after, moves.payment, rules) ?? after
  return { ...after, reversalJob: reported === 'sent' || reported === 'failed' ? 'none' : 'waiting' }
}
