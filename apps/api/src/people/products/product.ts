import type { ErrorSubType, ResourceErrorCode } from '@causeway/contract/errors'
import type { EventType } from '@causeway/contract/events'
import type { Prefix } from '@causeway/contract/ids'
import { type Declaration, kindOf } from '@causeway/contract/products/product'
import type { Tables } from '../../platform/db/tables.js'
import type { Ctx, Scope, Team } from '../../platform/scope.js'
import type { AccountRow } from '../accounts/account.js'
import type { EntityRow } from '../entities/entity.js'

export type RecordRow = Tables['records']
export type Outcome =
  | { status: 'completed'; data: Record<string, unknown> }
  | { status: 'failed'; code: ResourceErrorCode }
  /** Nothing yet. @property again_in ms until a second call has an answer; without it the network pushes the answer */
  | { status: 'pending'; again_in?: number | undefined }

/** True if a holder can use a product now; where not, the request error that says why. `restricted`: something can still be done about it. */
export type Availability =
  | { status: 'available' }
  /** @property says the sentence, where the error's own does not say enough */
  | { status: 'restricted' | 'unavailable'; because: ErrorSubType; says?: string }

/** The form of a request: `async` if the caller prefers not to wait. */
export interface Manner {
  async: boolean
}

/** A product that can be enrolled, to have it continuously. */
export interface Subscribable<Holder> {
  name: string
  /** Default: that of its product. Pure. */
  availability?(team: Team, holder: Holder): Availability
  /** Reads what is to be kept of the enrolment; null: nothing. Default: nothing is taken. Throws INVALID_REQUEST. @param named in the words of a version that names what it wants */
  payload?(value: unknown, named: boolean): Record<string, unknown> | null
  /** The way that continuous changes are found. */
  watch: Watch<Holder>
}

/** The time up to which a subscription has looked. Team time, epoch milliseconds. */
export interface Position {
  subscription: string
  payload: Record<string, unknown> | null
  /** Changes up to then are not announced. */
  from: number
  /** The cursor at which the external list continues; null: at its start. */
  cursor: string | null
  /** When it was to look. */
  due: number
  /** Later changes are left to the next look. */
  until: number
}

/** Something that happened, and what is to be kept of it. */
export interface Found<Holder> {
  at: number
  /** Keeps a record and tells of it, once, however often it is called. @returns its id; null: it is known already */
  keep(scope: Scope, holder: Holder, subscription: string): Promise<string | null>
}

/** The way in which news reaches a subscription. */
export interface Watch<Holder> {
  /** When it first looks, enrolled at a time. */
  first(at: number): number
  /**
   * Asks the external service for changes, a handful at most, oldest first. Changes nothing. Throws if the call fails.
   */
  look(
    scope: Scope,
    holder: Holder,
    position: Position,
  ): Promise<{ found: Found<Holder>[]; cursor: string | null; next: number }>
  /** When it looks again where it may not look at a time. */
  skip(at: number): number
}

interface Offer<Holder> {
  /** The name in `products` lists and in the records table. */
  name: string
  /** The subscriptions that make it continuous; empty if there are none. */
  subscriptions: readonly Subscribable<Holder>[]
  /** Pure. */
  availability(team: Team, holder: Holder): Availability
}

/** A record's body, as its GET shows it. */
export type Body = Record<string, unknown> & { id: string }

interface Base<Holder> extends Offer<Holder> {
  /** The last segment of its path. */
  path: string
  prefix: Prefix
  /** Its events, `<noun>.create` and `<noun>.update`. */
  events: { create: EventType; update: EventType }
  /** Status of a record that was just made. */
  first: 'pending' | 'in_progress'
  /** True if the POST waits for the outcome. */
  waits: boolean | ((request: Record<string, unknown>, manner: Manner) => boolean)
  /** True if a POST exists. */
  creatable: boolean
  /** False where there is no list of them. */
  listed?: false
  /**
   * Holds what must not be readable at rest: request and data are sealed, each showing is in the audit log as
   * `<name>.read`, and events carry the common fields alone.
   */
  sealed?: true
  /**
   * The stored part of a POST, whose body is as its endpoint declares it. Throws INVALID_REQUEST for a request that the
   * holder cannot make.
   */
  request?(body: never, holder: Holder): Record<string, unknown>
  /** Calls the external service. Throws if the call fails. `record` is in plain text. */
  ask(scope: Scope, holder: Holder, record: RecordRow): Promise<Outcome>
  /** Other changes with a completed record, in its transaction. @returns the data to keep */
  settle?(
    scope: Scope,
    holder: Holder,
    record: RecordRow,
    data: Record<string, unknown>,
  ): Promise<Record<string, unknown>>
  /** The code of a record whose outside could not be asked at all. */
  unreachable: ResourceErrorCode
  /** The fields beyond id, holder, status, error and times. `data` is null until completed. */
  show(
    record: { request: Record<string, unknown>; data: Record<string, unknown> | null },
    holder: Holder,
    scope: Scope,
  ): Record<string, unknown>
  /** The fields that `expand[]` can name, and the bodies with those in `wanted` as objects. */
  expand?: {
    fields: readonly string[]
    show(ctx: Ctx, bodies: Body[], wanted: ReadonlySet<string>): Promise<Body[]>
  }
  /**
   * Other events of a completed record, compared with the one completed before it. Pure.
   * @param subscribed whether a subscription made it
   */
  tells?(
    data: Record<string, unknown>,
    before: Record<string, unknown> | null,
    subscribed: boolean,
  ): readonly EventType[]
}

/** Fields of accounts that `expand[]` fills with lists of records. */
interface Lists {
  fields: readonly string[]
  /** Returns the list of each account that has one. One query, however many accounts. */
  load(scope: Scope, accounts: readonly string[]): Promise<ReadonlyMap<string, Body[]>>
}

/** A product in a holder's lists, with or without records. */
export type EntityOffer = Offer<EntityRow> & { holder: 'entity' }
export type AccountOffer = Offer<AccountRow> & { holder: 'account'; lists?: Lists }
export type AnyOffer = EntityOffer | AccountOffer
export type Holder = EntityRow | AccountRow

/** A product: everything that makes it one. The table, the router and the job know no other difference. */
export type EntityProduct = Base<EntityRow> & { holder: 'entity' }
export type AccountProduct = Base<AccountRow> & AccountOffer
export type Product = EntityProduct | AccountProduct

/** The parts of a definition that the product's declaration in the contract holds. */
export const declaredAs = <const D extends Declaration>(declared: D) => ({
  holder: declared.holder as D['holder'],
  name: declared.name,
  path: declared.path,
  prefix: kindOf(declared) as Prefix,
  events: { create: declared.events[0] as EventType, update: declared.events[1] as EventType },
})
