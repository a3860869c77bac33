import type { SourceAccount } from './accounts.js'
import type { Route } from './client.js'

/** A request that creates a transfer. It is stored before it is sent, so that every attempt is the same. */
export interface Order {
  route: Route
  body: object
  /** The account at Increase from which the money leaves, and its amount in cents. */
  account: string
  amount: number
}

/** The reason that a payment can't be made. */
export interface NoOrder {
  code: 10008 | 10009 | 10010
  why: 'source' | 'payee' | 'number' | 'amount' | 'addenda' | 'card_push' | 'card'
}

export interface OrderDetails {
  amount: number
  from: SourceAccount
  /** The payer's name. */
  name: string
}
