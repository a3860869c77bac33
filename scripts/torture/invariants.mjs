/**
 * Invariants that hold in a store at all times, even after a kill. The fault tests check them directly with SQL rather
 * than through the service. Each invariant is a query for rows that violate it.
 */

export const questions = {
  'payments of one session to one account beyond the first':
    'select session_id from payments where session_id is not null group by session_id, destination having count(*) > 1',
  'payments of one Idempotency-Key beyond the first':
    'select idempotency_key from payments where idempotency_key is not null group by team_id, idempotency_key having count(*) > 1',
  'payments of a session that is not released':
    "select p.id from payments p join sessions s on s.team_id = p.team_id and s.id = p.session_id where s.payout_status <> 'released' or s.released_at is null",
  'payments without exactly one creation event':
    "select p.id from payments p left join events e on e.resource_id = p.id and e.type = 'payment.create' group by p.id having count(e.id) <> 1",
  'pending payments that no job will submit':
    "select p.id from payments p where p.status = 'pending' and not exists (select 1 from jobs j where j.state = 'ready' and j.payload like '%' || p.id || '%')",
  'events of payments that do not exist':
    "select e.id from events e where e.type like 'payment.%' and not exists (select 1 from payments p where p.team_id = e.team_id and p.id = e.resource_id)",
  'entities without exactly one creation event':
    "select n.id from entities n left join events e on e.resource_id = n.id and e.type = 'entity.create' group by n.id having count(e.id) <> 1",
  'claimed keys without a response and without a job that will produce one':
    "select key from idempotency where (state = 'waiting' and waits_for is null) or (state = 'done' and body is null)",
  'tokens that opened more than one session': 'select handle from bearers group by handle having count(*) > 1',
  'used tokens without a bearer, or unused tokens with one':
    'select t.handle from tokens t left join bearers b on b.handle = t.handle group by t.handle, t.consumed_at having (t.consumed_at is null) <> (count(b.hash) = 0)',
  'deliveries of one event to one webhook beyond the first':
    'select event_id from deliveries group by webhook_id, event_id having count(*) > 1',
  'deliveries without their event':
    'select d.id from deliveries d left join events e on e.team_id = d.team_id and e.id = d.event_id and e.created_at = d.event_at where e.id is null',
  'tokens without a directory entry for their team':
    'select t.handle from tokens t left join directory d on d.key = t.handle and d.team_id = t.team_id where d.key is null',
  'bearers without a directory entry for their team':
    'select b.hash from bearers b left join directory d on d.key = b.hash and d.team_id = b.team_id where d.key is null',
  'pending deliveries that no job will send':
    "select d.id from deliveries d where d.status = 'pending' and not exists (select 1 from jobs j where j.team_id = d.team_id and j.unique_key = 'delivery ' || d.id and j.state = 'ready')",
  'reports that no job will write':
    "select r.id from reports r where r.file is null and not exists (select 1 from jobs j where j.state = 'ready' and j.payload like '%' || r.id || '%')",
  'open records that no job will complete':
    "select r.id from records r where r.status in ('pending', 'in_progress') and r.product <> 'account_verification_session' and not exists (select 1 from jobs j where j.state = 'ready' and j.payload like '%' || r.id || '%')",
  'subscriptions that no job will run':
    "select s.id from subscriptions s where s.status = 'active' and s.next_at is not null and not exists (select 1 from jobs j where j.team_id = s.team_id and j.unique_key = 'subscription ' || s.holder_id and j.state = 'ready')",
  'jobs that were given up': "select id, kind, last_error from jobs where state = 'dead'",
}

/** Returns the violated invariants as sentences, or an empty list. */
export async function broken(store) {
  const found = []
  for (const [what, sql] of Object.entries(questions)) {
    const rows = await store.query(sql)
    if (rows.length > 0) found.push(`${rows.length} ${what}, such as ${JSON.stringify(rows[0])}`)
  }
  for (const session of await store.query("select id, payment_ids from sessions where payout_status = 'released'")) {
    const told = Object.values(JSON.parse(session.payment_ids)).filter(Boolean).sort()
    const made = await store.query(`select id from payments where session_id = '${session.id}' order by id`)
    if (JSON.stringify(told) !== JSON.stringify(made.map(row => row.id).sort()))
      found.push(`session ${session.id} lists payments ${told} but has ${made.map(row => row.id)}`)
  }
  if (store.engine === 'sqlite') {
    const [{ integrity_check: said }] = await store.query('pragma integrity_check')
    if (said !== 'ok') found.push(`SQLite reports a corrupt file: ${said}`)
  }
  return found
}
