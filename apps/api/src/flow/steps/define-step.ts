import type { Step, StepData, StepError } from '@causeway/contract/session'
import type { Scope } from '../../platform/scope.js'
import type { Facts, Position } from '../sessions/facts.js'
import type { Handler } from './call.js'

/** A position that waits for the person. */
export type At = Exclude<Position, { auto: string }>

/** The way back from a step. What was entered is kept. */
export interface WayBack {
  /** Returns true where the view offers it. */
  offered(facts: Facts): boolean
  take: Handler
}

/** One step of the flow. `registry.ts` lists them all; `position` in `sessions/facts.ts` decides when each is due. */
export interface StepDeclaration<S extends Step> {
  name: S
  /** The flow of the detailed stream that the step is part of: `<flow>.step.started`. Null for a step of no flow. */
  flow: 'identity_verification' | 'connect' | 'account_verification' | 'balance_transfer' | null
  /**
   * `end`: the end of a session, which shows its accounts and its signed result. `aside`: outside the order, with no progress.
   * Without it, the step's progress is its place among the names in the contract.
   */
  place?: 'end' | 'aside'
  /** True for a step before the person's phone is proven: the element reports an unauthenticated result. */
  unproven?: true
  /** Rows beside the session's that `take` rests on and locks: those of accounts, or of verification sessions. */
  rests?: 'accounts' | 'verifications'
  /** True where `take` changes the person's row, which is locked before the session's. */
  changesPerson?: true
  /** The attempts that the step allows. */
  tries?: { most: number; left(facts: Facts, scope: Scope): number | Promise<number> }
  /** Returns the data of the step's view. */
  show(facts: Facts, scope: Scope, at: At): StepData[S] | Promise<StepData[S]>
  /** Takes the input of the step. A step without it takes none. */
  take?: Handler
  back?: WayBack
  /** Takes `not_me`, at a step that shows what the customer said of the person. */
  deny?: Handler
  /**
   * Returns errors that are about no input of this call, shown where the input had none.
   * @param stayed true where the call was an input of this same step
   */
  notice?(facts: Facts, stayed: boolean): StepError[]
}

/** Declares a step. The compiler checks its data against the contract's `StepData`. */
export const defineStep = <S extends Step>(step: StepDeclaration<S>): StepDeclaration<S> => step
