/**
 * The statuses of each table, with the statuses that can follow each. Records are listed by their product. Stated here again,
 * so that a fault in the service's own rules is found.
 */
const record = { pending: ['completed', 'failed'], completed: [], failed: [] }

export const moves = {
  payments: {
    pending: ['processing', 'canceled'],
    canceled: [],
    processing: ['sent', 'failed'],
    failed: [],
    sent: ['posted', 'cashed', 'settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
    posted: ['settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
    cashed: [],
    settled: [],
    reversal_required: ['reversal_processing'],
    reversal_processing: ['reversed', 'settled'],
    reversed: [],
    partial_reversal_processing: ['partially_reversed'],
    partially_reversed: [],
  },
  reversals: {
    pending_approval: ['pending'],
    pending: ['processing', 'sent', 'failed'],
    processing: ['sent', 'failed'],
    sent: [],
    failed: [],
  },
  entities: { incomplete: ['active', 'disabled'], active: ['disabled'], disabled: [] },
  accounts: {
    active: ['disabled', 'closed'],
    disabled: ['closed'],
    closed: ['disabled'],
  },
  connect: record,
  balance: record,
  update: record,
  entity_verification_session: { in_progress: ['verified', 'failed'], verified: [], failed: [] },
  account_verification_session: {
    pending: ['in_progress', 'verified', 'failed'],
    in_progress: ['verified', 'failed'],
    verified: [],
    failed: [],
  },
  subscriptions: { active: ['inactive'], inactive: [] },
  webhooks: {
    active: ['requires_attention', 'disabled', 'deleted'],
    requires_attention: ['active', 'disabled', 'deleted'],
    disabled: ['active', 'deleted'],
    deleted: [],
  },
  deliveries: {
    pending: ['delivered', 'failed', 'canceled'],
    delivered: [],
    failed: ['pending', 'delivered'],
    canceled: ['pending', 'delivered'],
  },
  // A job that is done is deleted.
  jobs: { ready: ['dead'], dead: ['ready'] },
  sessions: { pending_release: ['released'], released: [] },
  report_schedules: { active: ['inactive'], inactive: [] },
  payees: {
    proposed: ['active', 'rejected'],
    active: ['replaced', 'removed'],
    replaced: [],
    rejected: [],
    removed: [],
  },
}

/** Returns the names of all moves, as they are counted. */
export const allMoves = () =>
  Object.entries(moves).flatMap(([table, next]) =>
    Object.entries(next).flatMap(([from, to]) => to.map(each => `${table}: ${from} → ${each}`)),
  )
