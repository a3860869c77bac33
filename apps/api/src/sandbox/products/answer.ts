import type { Change, FeedKind } from '../../network/feed.js'
import type { Network } from '../../network/port.js'
import type { Debt } from '../debts.js'
import type { Product } from '../institutions.js'
import type { Person } from '../people.js'

/** Finds debts and people, with a delay for slow institutions. */
export interface World {
  /** Returns the debt for a reference as it is at the start of the month. */
  known(account: string): Promise<Debt | undefined>
  /** Returns the debt for a reference as it is at a time. */
  debt(call: { account: string; now: number }): Promise<Debt | undefined>
  /** Returns the person for a reference from matching, or for a phone. */
  person(reference: string | null, phone?: string | null): Promise<Person | undefined>
}

/** The sandbox's part of a product. */
export interface SandboxProduct {
  /**
   * The product's names in an institution's list of supported products, with the institutions' products that support
   * them.
   */
  readonly supports?: Readonly<Record<string, (product: Product) => boolean>>
  /** The product's methods of the network port. The same reference and time always give the same response. */
  answers?(world: World): Partial<Network>
  /** Lists a debt's changes on a day (its first millisecond), in order, after a time. */
  readonly changes?: Partial<Record<FeedKind, (debt: Debt, day: number, from: number) => Change[]>>
}

/** A product that implements these methods of the network port. */
export interface Answering<Method extends keyof Network> extends SandboxProduct {
  answers(world: World): Pick<Network, Method>
}

type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type Answers<P> = Intersection<P extends { answers(world: World): infer A } ? A : never>

/** Combines the methods of several products into one part of the network port. */
export const answersOf = <P extends SandboxProduct>(products: readonly P[], world: World): Answers<P> =>
  Object.assign({}, ...products.map(each => each.answers?.(world))) as Answers<P>
