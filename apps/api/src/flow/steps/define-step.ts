import type { Step, StepData, StepError } from '@causeway/contract/session'
import type { Scope } from '../../platform/scope.js'
import type { Facts, StepPosition } from '../session/facts.js'
import type { StepHandler } from './call.js'

/**
 * The back action of a step. Earlier input is kept. A step has a back action unless an external effect separates it
 * from the previous step: a text message to a number that can't be changed, proof of the phone or of an account, an
 * answer that counted as an attempt, a search of the credit file, deposits, or confirmed payments.
 */
export interface WayBack {
  /** True if the view offers the back action. */
  offered(facts: Facts): boolean
  take: StepHandler
}

/** A step of the flow. `registry.ts` lists all steps; `position` in `sessions/facts.ts` determines when each is due. */
export interface StepDeclaration<S extends Step> {
  name: S
  /**
   * The flow that the step belongs to in the detailed stream, as in `<flow>.step.started`. Null if the step belongs to
   * no flow.
   */
  flow: 'identity_verification' | 'connect' | 'account_verification' | 'balance_transfer' | 'manage' | null
  /**
   * `end`: the end of a session, which shows its accounts and its signed result. `aside`: the step is outside the usual
   * order and shows no progress. By default, the step's progress is its position in the contract's list of steps.
   */
  place?: 'end' | 'aside'
  /** Rows that `take` depends on and locks, besides the session's row: accounts or verification sessions. */
  rests?: 'accounts' | 'verifications'
  /** True if `take` changes the person's row, which is locked before the session's. */
  changesPerson?: true
  /** The fields of the input in which digits of every script count as the digits 0 to 9. */
  digits?: readonly string[]
  /** The number of attempts that the step allows. */
  tries?: { most: number; left(facts: Facts, scope: Scope): number | Promise<number> }
  /** Returns the data for the step's view. */
  show(facts: Facts, scope: Scope, at: StepPosition): StepData[S] | Promise<StepData[S]>
  /** Accepts the step's input. Absent if the step accepts no input. */
  take?: StepHandler
  back?: WayBack
  /** Accepts `not_me`. Present only at a step that shows data that the customer provided about the person. */
  deny?: StepHandler
  /**
   * Returns errors that were not caused by this call's input. The page shows them if the input had no errors.
   * @param stayed true if the call submitted input for the same step
   */
  notice?(facts: Facts, stayed: boolean): StepError[]
}

/** Declares a step. The compiler checks the data against the contract's `StepData`. */
export const defineStep = <S extends Step>(step: StepDeclaration<S>): StepDeclaration<S> => step
