/** Follows the status of each payment from commit to commit, and checks that it only moves forward. */

/** The statuses that can follow each status. Stated here again, so that a fault in the service's own table is found. */
const next = {
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
}

/** True if a payment can get from one status to another. One commit may contain several moves. */
const leadsTo = (from, to) => from === to || next[from].some(each => leadsTo(each, to))

export function createStatuses({ query, expect }) {
  const last = new Map()
  return {
    /** @param changed the changes of a commit, such as `update payments pay_…` */
    read(changed) {
      for (const change of changed) {
        const id = /^\w+ payments (\S+)/.exec(change)?.[1]
        const [row] = id ? query('select status from payments where id = ?', id) : []
        if (!row) continue
        const before = last.get(id) ?? 'pending'
        expect(leadsTo(before, row.status), `payment ${id} moved from ${before} to ${row.status}`)
        last.set(id, row.status)
      }
    },
  }
}
