import type { ErrorSubType, ResourceErrorCode } from '@causeway/contract/errors'
import type { EventType } from '@causeway/contract/events'
import type { Prefix } from '@causeway/contract/ids'
import { type Declaration, kindOf } from '@causeway/contract/products/product'
import type { SharedData } from '@causeway/contract/session'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Ctx, Scope, Team } from '../../platform/scope.js'
import type { AccountRow } from './account.js'
import type { EntityRow } from './entity.js'

export type RecordRow = Tables['records']

/**
 * The JSON columns of any product's record, in plain text. A product that reads specific fields declares its own types.
 */
export const recordJson = {
  request: jsonColumn<Record<string, unknown>>('records.request'),
  data: jsonColumn<Record<string, unknown>>('records.data'),
}
export type Outcome =
  | { status: 'completed'; data: Record<string, unknown> }
  | { status: 'failed'; code: ResourceErrorCode }
  /**
   * No result yet.
   * @property again_in the time in ms to wait before calling again; if absent, the network pushes the result
   */
  | { status: 'pending'; again_in?: number | undefined }

/**
 * A product's availability to a holder and, if the product can't be used, the error to return. `restricted` means that
 * the product can't be used now, but the team or the holder can change that.
 */
export type Availability =
  | { status: 'available' }
  /** @property says replaces the error's own message, if that is not specific enough */
  | { status: 'restricted' | 'unavailable'; subType: ErrorSubType; message?: string }

/** A request's preferences. `async` is true if the caller prefers not to wait. */
export interface Preferences {
  async: boolean
}

/** A subscription that provides a product continuously for an enrolled holder. */
export interface Subscribable<Holder> {
  name: string
  /** Defaults to the product's availability. Pure. */
  availability?(team: Team, holder: Holder): Availability
  /**
   * Returns the part of an enrollment's payload to store, or null to store nothing. By default, no payload is accepted.
   * Throws INVALID_REQUEST.
   * @param named true in versions whose requests list attribute names
   */
  payload?(value: unknown, named: boolean): Record<string, unknown> | null
  /** Finds the changes that the subscription reports. */
  feed: ChangeFeed<Holder>
}

/** A subscription's position in its feed. Times are in epoch milliseconds of team time. */
export interface FeedPosition {
  subscription: string
  payload: Record<string, unknown> | null
  /** Only changes after this time are reported. */
  from: number
  /** The cursor from which to continue the external list; null to read it from the start. */
  cursor: string | null
  /** The time at which the poll was due. */
  due: number
  /** Changes after this time are left for the next poll. */
  until: number
}

/** A change that a poll found, and the function that stores it. */
export interface FeedChange<Holder> {
  at: number
  /**
   * Stores a record and emits its event once, even if called repeatedly.
   * @returns the record's id; null if the record was already stored
   */
  store(scope: Scope, holder: Holder, subscription: string): Promise<string | null>
}

/** Describes how a subscription receives changes. */
export interface ChangeFeed<Holder> {
  /** Returns the time of the first poll for an enrollment made at `at`. */
  firstPoll(at: number): number
  /**
   * Requests a small batch of changes from the external service, oldest first. Has no side effects. Throws if the call
   * fails.
   */
  poll(
    scope: Scope,
    holder: Holder,
    position: FeedPosition,
  ): Promise<{ changes: FeedChange<Holder>[]; cursor: string | null; next: number }>
  /** Returns the time of the next poll if polling was not allowed at `at`. */
  skip(at: number): number
}

interface Offer<Holder> {
  /** The name in `products` lists and in the records table. */
  name: string
  /** The kind of data that the product shares with the customer. */
  shares: SharedData
  /** True if the product shares nothing with the customer until a subscription starts. */
  onlySubscribed?: true
  /** The subscriptions that provide the product continuously, if any. */
  subscriptions: readonly Subscribable<Holder>[]
  /** Pure. */
  availability(team: Team, holder: Holder): Availability
}

/** A record's body, in its GET format. */
export type Body = Record<string, unknown> & { id: string }

interface Base<Holder> extends Offer<Holder> {
  /** The last segment of the product's path. */
  path: string
  prefix: Prefix
  /** The events for the product's records, `<noun>.create` and `<noun>.update`. */
  events: { create: EventType; update: EventType }
  /** The status of a new record. */
  initialStatus: 'pending' | 'in_progress'
  /** True if the POST waits for the outcome. */
  waits: boolean | ((request: Record<string, unknown>, manner: Preferences) => boolean)
  /** True if the product has a POST endpoint. */
  creatable: boolean
  /** False if the product has no list endpoint. */
  listed?: false
  /**
   * True if the content must not be readable at rest: the request and data are sealed, each read is recorded in the
   * audit log as `<name>.read`, and events contain only the common fields.
   */
  sealed?: true
  /**
   * Returns the part of a POST's body to store. Throws an error for a request that doesn't apply to the holder.
   */
  request?(
    body: Record<string, unknown>,
    holder: Holder,
    scope: Scope,
  ): Record<string, unknown> | Promise<Record<string, unknown>>
  /** Calls the external service. Throws if the call fails. `record` is in plain text. */
  fetchData(scope: Scope, holder: Holder, record: RecordRow): Promise<Outcome>
  /**
   * Makes any other changes that completing a record requires, in the same transaction.
   * @returns the data to store
   */
  complete?(
    scope: Scope,
    holder: Holder,
    record: RecordRow,
    data: Record<string, unknown>,
  ): Promise<Record<string, unknown>>
  /** A record's error code if the external service could not be reached. */
  unreachable: ResourceErrorCode
  /**
   * Returns the record's fields other than id, holder, status, error and times. `data` is null until the record is
   * completed.
   */
  show(
    record: { request: Record<string, unknown>; data: Record<string, unknown> | null },
    holder: Holder,
    scope: Scope,
  ): Record<string, unknown>
  /** The fields that `expand[]` accepts, and the function that expands those in `wanted`. */
  expand?: {
    fields: readonly string[]
    show(ctx: Ctx, bodies: Body[], wanted: ReadonlySet<string>): Promise<Body[]>
  }
  /**
   * Returns additional events for a completed record, based on how it differs from the previous one. Pure.
   * @param subscribed true if a subscription created the record
   */
  extraEvents?(
    data: Record<string, unknown>,
    before: Record<string, unknown> | null,
    subscribed: boolean,
  ): readonly EventType[]
}

/** Account fields that `expand[]` fills with lists of records. */
interface Lists {
  fields: readonly string[]
  /** Returns the list for each account that has one. Runs a single query for any number of accounts. */
  load(scope: Scope, accounts: readonly string[]): Promise<ReadonlyMap<string, Body[]>>
}

/** A product in a holder's lists, with or without records. */
export type EntityOffer = Offer<EntityRow> & { holder: 'entity' }
export type AccountOffer = Offer<AccountRow> & { holder: 'account'; lists?: Lists }
export type AnyOffer = EntityOffer | AccountOffer
export type Holder = EntityRow | AccountRow

/** The full definition of a product. */
export type EntityProduct = Base<EntityRow> & { holder: 'entity' }
export type AccountProduct = Base<AccountRow> & AccountOffer

/**
 * An offer or a product for either kind of holder. Used by the registry, the router and the job, which treat all
 * products the same way. Offers of both kinds are assignable to this type, because the compiler compares method
 * parameters in both directions. Callers select an offer by its holder's id, with `offersOf` or `productOf`, so an
 * offer receives only holders of its own kind.
 */
export type SomeOffer = Offer<Holder> & { holder: 'entity' | 'account' }
export type Product = Base<Holder> & SomeOffer

/** Returns the parts of a definition that the contract declares. */
export const declaredAs = <const D extends Declaration>(declared: D) => ({
  holder: declared.holder as D['holder'],
  name: declared.name,
  shares: declared.shares,
  path: declared.path,
  prefix: kindOf(declared) as Prefix,
  events: { create: declared.events[0] as EventType, update: declared.events[1] as EventType },
})
