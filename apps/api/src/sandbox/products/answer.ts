import type { FeedKind, NetworkChange } from '@causeway/connector/ports/feed'
import type { Network } from '@causeway/connector/ports/network'
import type { Debt } from '../tables/debts.js'
import type { Product } from '../tables/institutions.js'
import type { Person } from '../tables/people.js'

/** Finds debts and people. Simulates the delay of slow institutions. */
export interface World {
  /** Returns the debt for a reference, as of the start of the month. */
  debtAtMonthStart(account: string): Promise<Debt | undefined>
  /** Returns the debt for a reference, as of a given time. */
  debt(call: { account: string; now: number }): Promise<Debt | undefined>
  /** Returns the person with a given phone number, or with a reference that an earlier match returned. */
  person(reference: string | null, phone?: string | null): Promise<Person | undefined>
}

/** A product's implementation in the sandbox. */
export interface SandboxProduct {
  /**
   * The product's names in institutions' lists of supported products. Each name maps to a function that returns true if
   * an institution's product supports it.
   */
  readonly supports?: Readonly<Record<string, (product: Product) => boolean>>
  /** The product's methods on the network port. The same reference and time always produce the same response. */
  answers?(world: World): Partial<Network>
  /**
   * Lists a debt's changes on a given day, in order. `day` is the day's first millisecond. The feed starts after
   * `from`.
   */
  readonly changes?: Partial<Record<FeedKind, (debt: Debt, day: number, from: number) => NetworkChange[]>>
}

/** A product that implements the given network port methods. */
export interface SandboxProductWith<Method extends keyof Network> extends SandboxProduct {
  answers(world: World): Pick<Network, Method>
}

type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type Answers<P> = Intersection<P extends { answers(world: World): infer A } ? A : never>

/** Combines the methods of several products into one part of the network port. */
export const answersOf = <P extends SandboxProduct>(products: readonly P[], world: World): Answers<P> =>
  Object.assign({}, ...products.map(each => each.answers?.(world))) as Answers<P>
