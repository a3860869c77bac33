import type { ErrorSubType, ResourceErrorCode } from '@causeway/contract/errors'
import type { EventType } from '@causeway/contract/events'
import type { Prefix } from '@causeway/contract/ids'
import type { AccountRow } from '../accounts/account.js'
import type { Tables } from '../db/tables.js'
import type { EntityRow } from '../entities/entity.js'
import type { Scope, Team } from '../scope.js'

export type RecordRow = Tables['records']
export type Outcome =
  | { status: 'completed'; data: Record<string, unknown> }
  | { status: 'failed'; code: ResourceErrorCode }

/** Whether a holder can use a product now; where not, the request error that says why. `restricted`: something can still be done about it. */
export type Availability = { status: 'available' } | { status: 'restricted' | 'unavailable'; because: ErrorSubType }

interface Offer<Holder> {
  /** The name in `products` lists and in the records table. */
  name: string
  /** Names that can be enrolled to have it continuously; empty where it can't. */
  subscriptions: readonly string[]
  /** Pure. */
  availability(team: Team, holder: Holder): Availability
}

interface Base<Holder> extends Offer<Holder> {
  /** The last segment of its path. */
  path: string
  prefix: Prefix
  /** Its events, `<noun>.create` and `<noun>.update`. */
  events: { create: EventType; update: EventType }
  /** Status of a record that was just made. */
  first: 'pending' | 'in_progress'
  /** Whether the POST waits for the outcome. */
  waits: boolean
  /** Whether a POST exists. */
  creatable: boolean
  /** Reads the body of the POST into what is kept as the request. Throws INVALID_REQUEST. */
  request?(body: Record<string, unknown>): Record<string, unknown>
  /** Asks the outside. Throws where it could not be asked. */
  ask(scope: Scope, holder: Holder, record: RecordRow): Promise<Outcome>
  /** What else changes with a completed record, in its transaction. @returns the data to keep */
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
  ): Record<string, unknown>
}

/** What stands in a holder's lists, whether it leaves records or not. */
export type EntityOffer = Offer<EntityRow> & { holder: 'entity' }
export type AccountOffer = Offer<AccountRow> & { holder: 'account' }
export type AnyOffer = EntityOffer | AccountOffer

/** A product: everything that makes it one. The table, the router and the job know no other difference. */
export type EntityProduct = Base<EntityRow> & { holder: 'entity' }
export type AccountProduct = Base<AccountRow> & { holder: 'account' }
export type Product = EntityProduct | AccountProduct
