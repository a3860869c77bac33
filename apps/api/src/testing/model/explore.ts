/**
 * Explores every reachable state of a model, breadth first, so that the trace to a violation is as short as possible.
 * States are flat records of primitive values. Equal records are the same state.
 */

export type Flat = Readonly<Record<string, string | number | boolean | null>>

/** One step from a state. */
export interface Step<State> {
  name: string
  /** True for a fault or a new request. The other steps happen even if nothing disturbs the system. */
  disturbs?: boolean
  to: State
}

export interface Model<State extends Flat> {
  initial: readonly State[]
  steps(state: State): Step<State>[]
  /** Returns the invariants that a state violates, as sentences. */
  violations(state: State): string[]
  /** Returns true if nothing remains to be done. */
  isEnd(state: State): boolean
  /** Returns the same text for states that behave the same. By default, only equal states do. */
  keyOf?(state: State): string
}

export interface Exploration<State> {
  states: number
  steps: number
  /** The number of states in which nothing remains to be done. */
  ends: number
  /** The first violation, with the shortest sequence of steps that leads to it. */
  violation: Violation<State> | null
}

export interface Violation<State> {
  sentence: string
  trace: { name: string; state: State }[]
}

/** The sentence for a state from which no undisturbed steps lead to an end. */
export const NO_END = 'no end can be reached, even if nothing else goes wrong'

const textOf = (state: Flat): string => Object.values(state).join('|')

/**
 * Explores a model. Stops at the first state that violates an invariant. If there is none, searches for a state from
 * which undisturbed steps lead to no end.
 * @param limit the maximum number of states; more throw an error
 */
export function explore<State extends Flat>(model: Model<State>, limit = 1_000_000): Exploration<State> {
  const indexes = new Map<string, number>()
  const states: State[] = []
  /** The state and the step from which each state was first reached. */
  const parents: number[] = []
  const names: string[] = []
  /** The states from which an undisturbed step leads to each state. */
  const sources: number[][] = []
  let steps = 0

  const traceTo = (last: number): Violation<State>['trace'] => {
    const trace: Violation<State>['trace'] = []
    for (let at = last; at >= 0; at = parents[at]!) trace.unshift({ name: names[at]!, state: states[at]! })
    return trace
  }
  const add = (state: State, parent: number, name: string): number => {
    const key = model.keyOf?.(state) ?? textOf(state)
    const known = indexes.get(key)
    if (known !== undefined) return known
    const index = states.length
    if (index >= limit) throw new Error(`The model has more than ${limit} states.`)
    indexes.set(key, index)
    states.push(state)
    parents.push(parent)
    names.push(name)
    sources.push([])
    return index
  }
  const found = (sentence: string, index: number): Exploration<State> => ({
    ...{ states: states.length, steps, ends: 0 },
    violation: { sentence, trace: traceTo(index) },
  })

  for (const state of model.initial) add(state, -1, 'start')
  for (let index = 0; index < states.length; index++) {
    const state = states[index]!
    const [sentence] = model.violations(state)
    if (sentence !== undefined) return found(sentence, index)
    for (const { name, to, disturbs } of model.steps(state)) {
      steps++
      const next = add(to, index, name)
      if (!disturbs) sources[next]!.push(index)
    }
  }
  const good = states.flatMap((state, index) => (model.isEnd(state) ? [index] : []))
  const ends = good.length
  const isGood = new Uint8Array(states.length)
  for (const index of good) isGood[index] = 1
  for (const index of good)
    for (const source of sources[index]!)
      if (!isGood[source]) {
        isGood[source] = 1
        good.push(source)
      }
  const stuck = isGood.indexOf(0)
  return stuck < 0 ? { states: states.length, steps, ends, violation: null } : found(NO_END, stuck)
}

/** Shows a violation as a numbered list of steps, each with the values that it changed. */
export function showViolation<State extends Flat>({ sentence, trace }: Violation<State>): string {
  const width = Math.max(...trace.map(({ name }) => name.length))
  const lines = trace.map(({ name, state }, at) => {
    const before = trace[at - 1]?.state
    const changes = Object.entries(state).flatMap(([field, value]) => {
      if (before) return before[field] === value ? [] : [`${field}: ${shown(before[field])} → ${shown(value)}`]
      return isBlank(value) ? [] : [`${field}: ${shown(value)}`]
    })
    return `${String(at).padStart(3)}. ${name.padEnd(width)}  ${changes.join(', ')}`.trimEnd()
  })
  return [`Violation after ${trace.length - 1} steps: ${sentence}`, ...lines].join('\n')
}

const blanks: readonly unknown[] = [undefined, null, false, '', 'none']
const isBlank = (value: Flat[string] | undefined) => blanks.includes(value)
const shown = (value: Flat[string] | undefined) => (value !== false && isBlank(value) ? 'none' : String(value))
