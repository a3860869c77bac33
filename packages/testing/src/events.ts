/**
 * The data in the elements' events, by event type. A test compares these types with the types in `@causeway/elements`.
 */
export interface ElementEvents {
  'element-ready': Record<never, never>
  'element-open': Record<never, never>
  'element-event': { name: string; timestamp: string; data: Record<string, unknown> | null }
  'element-success': { session_id: string; entity_id: string; accounts: string[]; result: string | null }
  'element-error': {
    error_type: string
    sub_type: string
    message: string
    recoverable: boolean
    request_id: string | null
  }
  'element-exit': { reason: 'completed' | 'user' | 'error' | 'expired' }
  'allocations-change': { total: number; residual: number }
  'allocations-confirmed': {
    session_id: string
    entity_id: string
    allocations: Record<string, number>
    residual_amount: number
  }
}

export type ElementEventType = keyof ElementEvents
