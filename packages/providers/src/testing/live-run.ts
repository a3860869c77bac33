/** The declaration of a live run: a provider against its company's own test system, with an operator's keys. */
import type { ActPath, AnswerOf, CallOf, MethodPath } from '@causeway/connector/provider/paths'
import type { Outcome, Provider, ProviderContext } from '@causeway/connector/provider/provider'
import type { Settings } from '@causeway/connector/provider/settings'
import type { CheckedOptions } from './document.js'

export interface LiveRun {
  provider: Provider
  /** The names of the documents in `documents/`, and how answers are checked against them. */
  documents: { names: readonly string[]; options: CheckedOptions }
  /**
   * The members of answers that the provider reads. A violation of the documents in one of them fails the run. A
   * violation in another member is only listed.
   */
  reads: ReadonlySet<string>
  /** The options of the command that the run needs besides `--save`, with their dashes. */
  options: Settings
  /** The effects of the run that its operator must know, such as a message to a phone. */
  notice: string
  steps: readonly LiveStep[]
}

export interface LiveStep {
  /** Completes the line after `ok` or `failed`. */
  name: string
  /** Throws if the step failed. The message must not contain personal data. Returns the reason if it was skipped. */
  run(tools: LiveTools): Promise<{ skipped: string } | undefined>
}

/** A method's question: its input without the fields of every call. */
type QuestionOf<Path extends MethodPath> = Omit<CallOf<Path>, 'request_id' | 'team_id' | 'now'>

export interface LiveTools {
  // biome-ignore lint/suspicious/noExplicitAny: providers have different settings.
  context: ProviderContext<any>
  /** The values of the run's options. */
  options: Readonly<Record<string, unknown>>
  /** Returns an id that no other run has. */
  id(name: string): string
  /** Calls a method as the service does. `now` is the real time if it is left out. */
  call<Path extends MethodPath>(
    path: Path,
    question: QuestionOf<Path>,
    request_id: string,
    now?: number,
  ): Promise<AnswerOf<Path>>
  /** Asks the company for the outcome of an act, even if its answer is stored. */
  findOutcome<Path extends ActPath>(
    path: Path,
    question: QuestionOf<Path>,
    request_id: string,
  ): Promise<Outcome<AnswerOf<Path>>>
  /** The company's ids of the objects that belong to a resource. */
  linkedTo(resource: string): string[]
  /** Reads until the value is as expected, a few times, because lists and simulations can be a moment behind. */
  eventually<Value>(read: () => Promise<Value>, isExpected: (value: Value) => boolean): Promise<Value>
  /** Asks the operator. Returns null without a terminal. */
  prompt(question: string): Promise<string | null>
}

/** Throws unless the values are equal. They are part of the message, so they must not be personal data. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [one, other] = [actual, expected].map(value => JSON.stringify(value))
  if (one !== other) throw new Error(`${what} is ${one}, and should be ${other}`)
}

/** The day of a time, in UTC, as `YYYY-MM-DD`. */
export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
