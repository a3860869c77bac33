/** Dependencies that later modules implement. `main/app.ts` provides them. */
import type { SimulatedTransaction } from '@causeway/connector/ports/rail'
import type { Scope } from '../platform/scope.js'
import type { CodeLimits } from './entities/methods/sms/codes.js'
import type { AnyOffer } from './holders/product.js'

/** A change to an entity, requested by a team in the sandbox. */
export interface Behaviour {
  id: string
  name: string
}

/** Changes that a team requested in the sandbox. Production has none. */
export interface SandboxChanges {
  /** Returns an entity's pending changes, in the order in which they were requested. */
  open(scope: Scope, entity: string, kind: 'connect' | 'attribute'): Promise<Behaviour[]>
  /** Marks changes as done. */
  consume(scope: Scope, ids: readonly string[]): Promise<void>
  /** Counts all soft inquiries that have been added to an entity. */
  softInquiries(scope: Scope, entity: string): Promise<number>
  /** Returns the transactions added to the team's managed account, if there are any. */
  transactions(scope: Scope): Promise<{ simulated?: SimulatedTransaction[] }>
}

declare module '../platform/scope.js' {
  interface Deps {
    /** All products and subscriptions that can be offered to a holder. */
    readonly offers: readonly AnyOffer[]
    readonly codeLimits: CodeLimits
    readonly behaviours: SandboxChanges
    /** Enqueues a check of the pending payments from an account that was disabled or closed. */
    enqueuePaymentChecks(scope: Scope, source: string): Promise<void>
  }
}
