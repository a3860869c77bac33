import type { Step, StepData, StepError } from '@causeway/contract/session'
import type { Scope } from '../../platform/scope.js'
import type { Facts, Position } from '../sessions/facts.js'
import type { Handler } from './call.js'

/** A position that waits for the person. */
export type At = Exclude<Position, { auto: string }>

/**
 * The way back from a step. The input is kept. A step has one unless an external effect lies between it and the step
 * before it: a text message to a number that can't be changed, a proof of the phone or of an account, an answer that
 * counted as an attempt, a search of the credit file, deposits, or confirmed payments.
 */
export interface WayBack {
  /** True if the view offers it. */
  offered(facts: Facts): boolean
  take: Handler
}

/** A step of the flow. `registry.ts` lists all steps; `position` in `sessions/facts.ts` decides when each is due. */
export interface StepDeclaration<S extends Step> {
  name: S
  /** The flow of the detailed stream that the step belongs to: `<flow>.step.started`. Null if it belongs to none. */
  flow: 'identity_verification' | 'connect' | 'account_verification' | 'balance_transfer' | null
  /**
   * `end`: the end of a session, which shows its accounts and its signed result. `aside`: outside the order, without
   * progress. By default the step's progress is its position among the names in the contract.
   */
  place?: 'end' | 'aside'
  /** True for a step before the person's phone is proven: the element reports an unauthenticated result. */
  unproven?: true
  /** Rows besides the session's that `take` depends on and locks: those of accounts, or of verification sessions. */
  rests?: 'accounts' | 'verifications'
  /** True if `take` changes the person's row, which is locked before the session's. */
  changesPerson?: true
  /** The attempts that the step allows. */
  tries?: { most: number; left(facts: Facts, scope: Scope): number | Promise<number> }
  /** Returns the data of the step's view. */
  show(facts: Facts, scope: Scope, at: At): StepData[S] | Promise<StepData[S]>
  /** Takes the input of the step. Absent if the step takes none. */
  take?: Handler
  back?: WayBack
  /** Takes `not_me`, at a step that shows the customer's data about the person. */
  deny?: Handler
  /**
   * Returns errors that do not come from this call's input. They are shown if the input had none.
   * @param stayed true if the call was an input of this same step
   */
  notice?(facts: Facts, stayed: boolean): StepError[]
}

/** Declares a step. The compiler checks its data against the contract's `StepData`. */
export const defineStep = <S extends Step>(step: StepDeclaration<S>): StepDeclaration<S> => step
