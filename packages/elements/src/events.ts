/**
 * The events of both elements. They bubble, cross shadow roots, and carry their data in fields rather than in `detail`.
 */
import type { AllocationsConfirmed, AllocationTotals, ExitReason, FrameError, Success } from '@causeway/contract/frame'
import type { FlowEvent } from '@causeway/contract/session'

/** An event with fields. A field named `type` is omitted because the event already has a `type`. */
class FieldEvent extends Event {
  constructor(name: string, fields: object = {}, cancelable = false) {
    super(name, { bubbles: true, composed: true, cancelable })
    const { type: _, ...own } = fields as { type?: unknown }
    Object.assign(this, own)
  }
}

/** The flow is ready. The first screen may have been visible earlier. */
export class ElementReadyEvent extends FieldEvent {
  constructor() {
    super('element-ready')
  }
}

/** The element has opened. Its frame may still be loading. */
export class ElementOpenEvent extends FieldEvent {
  constructor() {
    super('element-open')
  }
}

/** One event of the detailed stream. Contains ids and numbers only, no personal data. */
export class ElementEventEvent extends FieldEvent {
  /** `<flow>.<object>.<action>` */
  declare readonly name: string
  /** ISO 8601 */
  declare readonly timestamp: string
  declare readonly data: Record<string, unknown> | null

  constructor({ event }: { event: FlowEvent }) {
    super('element-event', { ...event, name: event.type })
  }
}

/** The person finished. This event is not proof: read the session with the secret key, or verify `result`. */
export class ElementSuccessEvent extends FieldEvent implements Success {
  declare readonly session_id: string
  declare readonly entity_id: string
  declare readonly accounts: string[]
  /** The signed outcome (JWS), or null. */
  declare readonly result: string | null

  constructor(success: Success) {
    super('element-success', success)
  }
}

/** An error occurred. `error_type` is its category. */
export class ElementErrorEvent extends FieldEvent implements FrameError {
  declare readonly error_type: string
  declare readonly sub_type: string
  declare readonly message: string
  /** True if the flow can continue, whether automatically, after a retry or with a new token. */
  declare readonly recoverable: boolean
  declare readonly request_id: string | null

  constructor(error: FrameError) {
    super('element-error', error)
  }
}

/** The element is about to close. `preventDefault()` keeps it open, unless the page itself called `close()`. */
export class ElementExitEvent extends FieldEvent {
  declare readonly reason: ExitReason

  constructor(reason: ExitReason, cancelable = true) {
    super('element-exit', { reason }, cancelable)
  }
}

/** The person changed how the loan is split among accounts. Amounts are in cents. */
export class AllocationsChangeEvent extends FieldEvent implements AllocationTotals {
  declare readonly total: number
  declare readonly residual: number

  constructor(totals: AllocationTotals) {
    super('allocations-change', totals)
  }
}

/** The person confirmed the allocations. Amounts are in cents, by account id. */
export class AllocationsConfirmedEvent extends FieldEvent implements AllocationsConfirmed {
  declare readonly session_id: string
  declare readonly entity_id: string
  declare readonly allocations: Record<string, number>
  declare readonly residual_amount: number

  constructor(confirmed: AllocationsConfirmed) {
    super('allocations-confirmed', confirmed)
  }
}

declare global {
  interface HTMLElementEventMap {
    'element-ready': ElementReadyEvent
    'element-open': ElementOpenEvent
    'element-event': ElementEventEvent
    'element-success': ElementSuccessEvent
    'element-error': ElementErrorEvent
    'element-exit': ElementExitEvent
    'allocations-change': AllocationsChangeEvent
    'allocations-confirmed': AllocationsConfirmedEvent
  }
}
