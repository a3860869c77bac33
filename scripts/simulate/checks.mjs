/** Finds rows that must not exist in the store at any time. */
import { questions } from '../torture/invariants.mjs'

/** Additional queries for rows that must not exist at any time. */
const always = {
  ...questions,
  // The jobs left out ask a company, and store a failure that the customer sees if it never answers.
  'jobs that were given up':
    "select id, kind, last_error from jobs where state = 'dead' and not (kind in ('record.run', 'avf.start', 'evf.ask') and last_error = 'OutsideError')",
  'postings that do not sum to zero':
    "select payment_id, sum(amount) as sum from ledger group by team_id, payment_id, substr(leg, 1, instr(leg, '.')) having sum(amount) <> 0",
  // A payment from outside begins as processing.
  'payments that moved without an event':
    "select p.id from payments p where p.status <> 'pending' and not (p.source is null and p.status = 'processing') and not exists (select 1 from events e where e.team_id = p.team_id and e.resource_id = p.id and e.type = 'payment.update')",
  'payments with an amount that is not allowed': 'select id, amount from payments where amount <= 0',
  'sessions whose payments exceed the loan':
    "select s.id from sessions s join payments p on p.team_id = s.team_id and p.session_id = s.id group by s.id having sum(p.amount) > json_extract(s.config, '$.balance_transfer.loan_amount') and json_extract(s.config, '$.balance_transfer.loan_amount') is not null",
  'events that no delivery waits for, although a webhook was there':
    "select e.id from events e join webhooks w on w.team_id = e.team_id and w.type = e.type and w.status = 'active' and w.created_at < e.created_at - 1000 and w.updated_at = w.created_at where not exists (select 1 from deliveries d where d.webhook_id = w.id and d.event_id = e.id)",
}

/** Returns the violated invariants as sentences. @param query returns committed rows */
export function findViolations(query) {
  const found = []
  for (const [what, sql] of Object.entries(always)) {
    const rows = query(sql)
    if (rows.length > 0) found.push(`${rows.length} ${what}, such as ${JSON.stringify(rows[0])}`)
  }
  for (const session of query("select id, payment_ids from sessions where payout_status = 'released'")) {
    const listed = Object.values(JSON.parse(session.payment_ids)).filter(Boolean).sort()
    const made = query('select id from payments where session_id = ? order by id', session.id).map(row => row.id)
    if (JSON.stringify(listed) !== JSON.stringify(made.sort()))
      found.push(`session ${session.id} lists payments ${listed} but has ${made}`)
  }
  return found
}
