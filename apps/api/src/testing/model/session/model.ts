/**
 * The exhaustive model of a transfer's session: two tabs redeem tokens, resume, edit and confirm, the customer changes the
 * terms, and two requests release the session. It runs the product's own rules.
 */
import { ServiceError } from '@causeway/contract/errors'
import type { Model, Step } from '../explore.js'
import {
  amountsOf,
  canConfirm,
  productRules,
  type Rules,
  type State,
  stepOf,
  type Tab,
  tabs,
  termsOf,
  tokens,
  viewOf,
} from './state.js'

type SessionStep = Step<State>

const initial: State = {
  ...{ first: 'fresh', second: 'none', X: '', Y: '', viewX: '', viewY: '' },
  ...{ draft: 0, isReviewing: false, isEditing: false, confirmed: 0, terms: 'wide' },
  ...{ isReleased: false, paid: 0, payments: 0, releaseA: '', releaseB: '', mistake: null },
}

const disturbance = (name: string, to: State): SessionStep => ({ name, to, disturbs: true })
const viewField = (tab: Tab) => (tab === 'X' ? 'viewX' : 'viewY')

/** Changes the session. Its revision grows, so every view that is open becomes old. */
function change(state: State, difference: Partial<State>): State {
  const aged = (view: string) => (view === '' || view.endsWith(' old') ? view : `${view} old`)
  return { ...state, ...difference, viewX: aged(state.viewX), viewY: aged(state.viewY) } as State
}

/** A tab redeems a token, repeats its own exchange, or is refused. */
function redeemSteps(state: State, tab: Tab, rules: Rules): SessionStep[] {
  if (state[tab] !== '' && state[tab] !== 'lost') return []
  return tokens.flatMap(token => {
    const winner = state[token]
    const isRepeated = winner === tab || (!rules.checksExchange && (winner === 'X' || winner === 'Y'))
    if (winner !== 'fresh' && !isRepeated && rules.redeemsOnce) return []
    if (winner === 'none' || winner === 'expired') return []
    const redeemed = { ...state, [token]: tab, [tab]: token, [viewField(tab)]: viewOf(state, rules) } as State
    const lost = { ...state, [token]: tab, [tab]: 'lost' } as State
    return [
      { name: `${tab} ${isRepeated ? 'repeats the exchange of' : 'redeems'} the ${token} token`, to: redeemed },
      disturbance(`${tab} redeems the ${token} token, and the answer is lost`, lost),
    ]
  })
}

/** Returns the session after a step that a tab submitted, or null if the step changes nothing. */
function submit(state: State, step: string, input: string, shown: number, rules: Rules): State | null {
  const { draft } = state
  if (step === 'done') return change(state, { isEditing: true, isReviewing: false, draft: 0 })
  if (step === 'allocation') {
    const choice = Number(input)
    return canConfirm(choice, state, rules) ? change(state, { draft: choice, isReviewing: true }) : null
  }
  if (input === 'back' || !canConfirm(draft, state, rules)) return change(state, { isReviewing: false })
  const isSeen = draft === shown
  return change(state, {
    ...{ confirmed: draft, draft: 0, isReviewing: false, isEditing: false },
    mistake: isSeen ? state.mistake : 'the person confirms amounts that the page did not show',
  })
}

const inputs: Record<string, readonly string[]> = {
  allocation: ['1', '2'],
  review: ['confirm', 'back'],
  done: ['edit'],
}

function tabSteps(state: State, tab: Tab, rules: Rules): SessionStep[] {
  if (state[tab] === '' || state[tab] === 'lost') return []
  const field = viewField(tab)
  const [step, shown, old] = state[field].split(' ') as [string, string, string | undefined]
  const steps: SessionStep[] = [
    disturbance(`${tab} is closed, or its session ends`, { ...state, [tab]: '', [field]: '' }),
  ]
  const refreshed = (to: State): State => ({ ...to, [field]: viewOf(to, rules) })
  if (old !== undefined) steps.push({ name: `${tab} reads the current view`, to: refreshed(state) })
  for (const input of inputs[step] ?? []) {
    if (step === 'done' && state.isReleased) continue
    const name = `${tab} submits ${input} in ${step}`
    const isAccepted = (!rules.checksRevision || old === undefined) && stepOf(state, rules) === step
    const to = isAccepted ? submit(state, step, input, Number(shown), rules) : null
    if (to === null) continue
    steps.push({ name, to: refreshed(to), disturbs: input === 'back' })
    steps.push(disturbance(`${name}, and the answer is lost`, to))
  }
  return steps
}

/** Pays the confirmed amounts and marks the session as released. */
const pay = (state: State, amounts: number): State =>
  change(state, { isReleased: true, paid: amounts, payments: Math.min(2, state.payments + 1) })

function releaseSteps(state: State, request: 'releaseA' | 'releaseB', rules: Rules): SessionStep[] {
  const name = `request ${request.at(-1)}`
  const text = state[request]
  if (text === '') return [{ name: `${name} to release begins`, to: { ...state, [request]: 'sent' } }]
  const ended = (to: State): State => ({ ...to, [request]: '' })
  const crash = disturbance(`${name} fails before its commit`, ended(state))
  if (text !== 'sent')
    return [{ name: `${name} pays what it read`, to: ended(pay(state, Number(text.slice(5)))) }, crash]
  const { confirmed, isReleased, terms } = state
  const row = { payout_status: isReleased ? 'released' : 'pending_release', completed_at: confirmed > 0 ? 1 : null }
  const found = rules.releaseState(row, amountsOf(confirmed))
  if (found !== 'confirmed') return [{ name: `${name} finds the session ${found}`, to: ended(state) }]
  try {
    rules.checkTerms(amountsOf(confirmed), termsOf[terms])
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [{ name: `${name} is rejected, because the terms have changed`, to: ended(state) }]
  }
  if (!rules.locksSession)
    return [{ name: `${name} reads the session`, to: { ...state, [request]: `read ${confirmed}` } }]
  return [{ name: `${name} pays and commits`, to: ended(pay(state, confirmed)) }, crash]
}

/** The customer creates another token for the session, or changes its terms. Tokens expire. */
function otherSteps(state: State): SessionStep[] {
  const steps: SessionStep[] = tokens
    .filter(token => state[token] === 'fresh')
    .map(token => disturbance(`the ${token} token expires`, { ...state, [token]: 'expired' }))
  if (state.second !== 'fresh' && state.first !== 'fresh')
    steps.push({ name: 'the customer creates another token', to: { ...state, second: 'fresh' } })
  if (state.isReleased) return steps
  const terms = state.terms === 'wide' ? 'narrow' : 'wide'
  return [...steps, disturbance(`the customer makes the terms ${terms}`, change(state, { terms }))]
}

function violations(state: State): string[] {
  const { X, Y, payments, paid, confirmed, isReleased, mistake } = state
  const found = mistake === null ? [] : [mistake]
  const check = (isBroken: boolean, sentence: string) => {
    if (isBroken) found.push(sentence)
  }
  const isIn = (token: string) => tokens.includes(token as (typeof tokens)[number])
  // The second token is created again and again, so two tabs may have redeemed two of them.
  check(isIn(X) && X === Y && X === 'first', 'two tabs redeemed the same token')
  check(payments > 1, 'the session is released twice')
  check(isReleased !== payments > 0, 'the session is released without its payments')
  check(isReleased && paid !== confirmed, 'the payments differ from the confirmed amounts')
  check(isReleased && confirmed === 0, 'a session is released that the person did not confirm')
  return found
}

/** Returns the same text for states that behave the same: the tabs are alike, and so are the requests. */
function keyOf(state: State): string {
  const { X, Y, viewX, viewY, first, second, releaseA, releaseB, ...session } = state
  const [one, other] = [`${X},${viewX}`, `${Y},${viewY}`]
  const isSwapped = one > other
  const token = (winner: string) => (isSwapped && winner === 'X' ? 'Y' : isSwapped && winner === 'Y' ? 'X' : winner)
  const releases = releaseA > releaseB ? `${releaseB}|${releaseA}` : `${releaseA}|${releaseB}`
  const pair = isSwapped ? `${other}|${one}` : `${one}|${other}`
  return `${pair}|${token(first)}|${token(second)}|${releases}|${Object.values(session).join('|')}`
}

/** @param rules the product's rules, or a copy in which a test has broken one */
export const sessionModel = (rules: Rules = productRules): Model<State> => ({
  initial: [initial],
  steps: state => [
    ...tabs.flatMap(tab => [...redeemSteps(state, tab, rules), ...tabSteps(state, tab, rules)]),
    ...releaseSteps(state, 'releaseA', rules),
    ...releaseSteps(state, 'releaseB', rules),
    ...otherSteps(state),
  ],
  violations,
  isEnd: ({ isReleased, releaseA, releaseB }) => isReleased && releaseA === '' && releaseB === '',
  keyOf,
})
