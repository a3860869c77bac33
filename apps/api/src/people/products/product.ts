import type { ErrorSubType, ResourceErrorCode } from '@causeway/contract/errors'
import type { EventType } from '@causeway/contract/events'
import type { Prefix } from '@causeway/contract/ids'
import { type Declaration, kindOf } from '@causeway/contract/products/product'
import type { SharedData } from '@causeway/contract/session'
import type { Tables } from '../../platform/db/tables.js'
import type { Ctx, Scope, Team } from '../../platform/scope.js'
import type { AccountRow } from '../accounts/account.js'
import type { EntityRow } from '../entities/entity.js'

export type RecordRow = Tables['records']
export type Outcome =
  | { status: 'completed'; data: Record<string, unknown> }
  | { status: 'failed'; code: ResourceErrorCode }
  /**
   * No result yet.
   * @property again_in ms until a second call has a result; if absent, the network pushes the result
   */
  | { status: 'pending'; again_in?: number | undefined }

/**
 * The availability of a product to a holder, with the request error if it is unavailable. `restricted` means that the
 * team or the holder can still do something about it.
 */
export type Availability =
  | { status: 'available' }
  /** @property says a message, if the error's own does not say enough */
  | { status: 'restricted' | 'unavailable'; because: ErrorSubType; says?: string }

/** The preferences of a request. `async` is true if the caller prefers not to wait. */
export interface Manner {
  async: boolean
}

/** A product that a holder can be enrolled in, to receive it continuously. */
export interface Subscribable<Holder> {
  name: string
  /** Defaults to its product's availability. Pure. */
  availability?(team: Team, holder: Holder): Availability
  /**
   * Reads the part of an enrollment's payload to store; null to store nothing. By default no payload is accepted.
   * Throws INVALID_REQUEST.
   * @param named true for a version whose request lists attribute names
   */
  payload?(value: unknown, named: boolean): Record<string, unknown> | null
  /** Finds continuous changes. */
  watch: Watch<Holder>
}

/** The position of a subscription in its feed. Team time, epoch milliseconds. */
export interface Position {
  subscription: string
  payload: Record<string, unknown> | null
  /** Changes up to this time are not announced. */
  from: number
  /** The cursor at which the external list continues; null at its start. */
  cursor: string | null
  /** The time at which the poll was due. */
  due: number
  /** Later changes are left to the next poll. */
  until: number
}

/** A change that was found, and how to store it. */
export interface Found<Holder> {
  at: number
  /**
   * Stores a record and emits its event, once, however often it is called.
   * @returns its id; null if it was already stored
   */
  keep(scope: Scope, holder: Holder, subscription: string): Promise<string | null>
}

/** The way in which changes reach a subscription. */
export interface Watch<Holder> {
  /** Returns the time of the first poll for an enrollment at `at`. */
  first(at: number): number
  /**
   * Asks the external service for a small batch of changes, oldest first. Has no side effects. Throws if the call
   * fails.
   */
  look(
    scope: Scope,
    holder: Holder,
    position: Position,
  ): Promise<{ found: Found<Holder>[]; cursor: string | null; next: number }>
  /** Returns the time of the next poll if polling was not allowed at `at`. */
  skip(at: number): number
}

interface Offer<Holder> {
  /** The name in `products` lists and in the records table. */
  name: string
  /** The kind of data that it gives the customer. */
  shares: SharedData
  /** True if it gives the customer nothing until a subscription starts. */
  onlySubscribed?: true
  /** The subscriptions that make it continuous, if any. */
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
  /** The events of its records, `<noun>.create` and `<noun>.update`. */
  events: { create: EventType; update: EventType }
  /** The status of a new record. */
  first: 'pending' | 'in_progress'
  /** True if the POST waits for the outcome. */
  waits: boolean | ((request: Record<string, unknown>, manner: Manner) => boolean)
  /** True if it has a POST. */
  creatable: boolean
  /** False if it has no list endpoint. */
  listed?: false
  /**
   * True if the content must not be readable at rest: request and data are sealed, each reading is recorded in the
   * audit log as `<name>.read`, and events contain only the common fields.
   */
  sealed?: true
  /** Returns the part of a POST's body to store. Throws INVALID_REQUEST for a request that the holder cannot make. */
  request?(body: never, holder: Holder): Record<string, unknown>
  /** Calls the external service. Throws if the call fails. `record` is in plain text. */
  ask(scope: Scope, holder: Holder, record: RecordRow): Promise<Outcome>
  /**
   * Makes the other changes of a completed record, in its transaction.
   * @returns the data to store
   */
  settle?(
    scope: Scope,
    holder: Holder,
    record: RecordRow,
    data: Record<string, unknown>,
  ): Promise<Record<string, unknown>>
  /** The error code of a record if the external service could not be reached. */
  unreachable: ResourceErrorCode
  /** Returns the fields besides id, holder, status, error and times. `data` is null until the record is completed. */
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
   * @param subscribed true if a subscription created it
   */
  tells?(
    data: Record<string, unknown>,
    before: Record<string, unknown> | null,
    subscribed: boolean,
  ): readonly EventType[]
}

/** Account fields that `expand[]` fills with lists of records. */
interface Lists {
  fields: readonly string[]
  /** Returns the lists of the accounts that have one. One query, however many accounts. */
  load(scope: Scope, accounts: readonly string[]): Promise<ReadonlyMap<string, Body[]>>
}

/** A product in a holder's lists, with or without records. */
export type EntityOffer = Offer<EntityRow> & { holder: 'entity' }
export type AccountOffer = Offer<AccountRow> & { holder: 'account'; lists?: Lists }
export type AnyOffer = EntityOffer | AccountOffer
export type Holder = EntityRow | AccountRow

/** The full definition of a product. The table, the router and the job treat all products alike. */
export type EntityProduct = Base<EntityRow> & { holder: 'entity' }
export type AccountProduct = Base<AccountRow> & AccountOffer
export type Product = EntityProduct | AccountProduct

/** Returns the parts of a definition that the contract declares. */
export const declaredAs = <const D extends Declaration>(declared: D) => ({
  holder: declared.holder as D['holder'],
  name: declared.name,
  shares: declared.shares,
  path: declared.path,
  prefix: kindOf(declared) as Prefix,
  events: { create: declared.events[0] as EventType, update: declared.events[1] as EventType },
})
