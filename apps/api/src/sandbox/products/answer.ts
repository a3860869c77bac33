import type { Change, FeedKind } from '../../network/feed.js'
import type { Network } from '../../network/port.js'
import type { Debt } from '../debts.js'
import type { Product } from '../institutions.js'
import type { Person } from '../people.js'

/** Finds debts and people; those of slow institutions after a while. */
export interface World {
  /** The debt behind a reference as it is when its month begins. */
  known(account: string): Promise<Debt | undefined>
  /** The debt behind a reference as it is at a time. */
  debt(call: { account: string; now: number }): Promise<Debt | undefined>
  /** The person behind the reference that matching gave, or behind a phone. */
  person(reference: string | null, phone?: string | null): Promise<Person | undefined>
}

/** The sandbox's part of a product. */
export interface SandboxProduct {
  /** The names of the product that an institution supports, and for which of its own products. */
  readonly supports?: Readonly<Record<string, (product: Product) => boolean>>
  /** The product's part of the network. The same reference and time always give the same answer. */
  answers?(world: World): Partial<Network>
  /** Changes of a debt on a day (its first millisecond), in order, since a time. */
  readonly changes?: Partial<Record<FeedKind, (debt: Debt, day: number, from: number) => Change[]>>
}

/** One that implements these calls of the network. */
export interface Answering<Method extends keyof Network> extends SandboxProduct {
  answers(world: World): Pick<Network, Method>
}

type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type Answers<P> = Intersection<P extends { answers(world: World): infer A } ? A : never>

/** The answers of several products as one part of the network. */
export const answersOf = <P extends SandboxProduct>(products: readonly P[], world: World): Answers<P> =>
  Object.assign({}, ...products.map(each => each.answers?.(world))) as Answers<P>
