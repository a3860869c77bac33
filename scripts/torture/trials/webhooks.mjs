/** Repeatedly kills a service while it sends events to servers that fail in every way. */
import { randomUUID } from 'node:crypto'
import { lender } from '../lender.mjs'
import { createReceiver, manners } from '../receiver.mjs'

const WRITERS = 16
/** The receivers, with one webhook each. The last receiver is down the whole time. */
const addresses = ['well', 'moody', 'moody', 'stubborn', 'dead']
const secret = 'torture of webhook deliveries'
/**
 * The time limit for finishing all work after the last kill, in ms. It allows for a dead process's leases and for
 * retries.
 */
const CALM = 240_000
/** The maximum number of deliveries that a process can have in progress to one address when it is killed. */
const AT_ONCE = 8
/** Finds pending deliveries that no live job will send. */
const STRANDED = `select count(*) as count from deliveries d where d.status = 'pending' and not exists
  (select 1 from jobs j where j.team_id = d.team_id and j.unique_key = 'delivery ' || d.id and j.state = 'ready')`
/** After a webhook is disabled, calls already in progress may still arrive for this many milliseconds. */
const IN_FLIGHT = 5_000

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Waits until a count in the store reaches 0. Resolves to false if that takes too long. */
async function nothingLeft(store, sql) {
  for (const until = performance.now() + CALM; performance.now() < until; await pause(250)) {
    const [{ count }] = await store.query(sql)
    if (Number(count) === 0) return true
  }
  return false
}

/**
 * Creates `amount` deliveries in total. Each event must have one delivery for each webhook that was enabled. Each
 * pending delivery must have a live job at all times, and each delivery must be listed. Acknowledged deliveries must be listed as
 * delivered. A single redelivery request for each webhook must then deliver all remaining events.
 */
async function webhooksUnderKills({ launch, rounds, expect, store, amount }) {
  const env = { OUTBOUND_LOOPBACK: 'allow' }
  let service = await launch(env)
  const receivers = await Promise.all(addresses.map(name => createReceiver(manners[name], secret)))
  const since = new Date(Date.now() - 60_000).toISOString()
  const hooks = []
  for (const { origin } of receivers)
    hooks.push(
      (await lender(service).must('POST', '/webhooks', { type: 'entity.create', url: origin, hmac_secret: secret })).id,
    )
  const [dead, deadHook] = [receivers.at(-1), hooks.at(-1)]
  const wanted = Math.ceil(amount / addresses.length)
  let made = 0
  let kills = 0
  let stranded = 0
  let over = false
  let back = Promise.resolve()
  let offAt = null

  /** Creates entities until there are enough. Repeats each request with the same key until it receives a response. */
  async function writer() {
    while (made < wanted) {
      made += 1
      const key = randomUUID()
      const body = { type: 'corporation', corporation: { name: 'Told' }, metadata: { key } }
      for (let told = false; !told; ) {
        await back
        const used = service
        try {
          const reply = await lender(used).api('POST', '/entities', body, { 'idempotency-key': key })
          expect(reply.status === 200, `an entity request returned ${reply.status}: ${reply.text}`)
          told = true
        } catch {
          await used.ended
        }
      }
    }
  }

  /** Records when the webhook for the dead address is disabled. */
  async function watch() {
    // Checks once more at the end, because the webhook may be disabled at the last moment.
    for (let last = false; !last && offAt === null; ) {
      last = over
      const rows = await store.query(`select status from webhooks where id = '${deadHook}'`)
      if (rows[0]?.status === 'disabled') offAt = Date.now()
      else if (!last) await pause(100)
    }
  }

  const watching = watch()
  const writing = Promise.all(Array.from({ length: WRITERS }, writer))
  const pending = "select count(*) as count from deliveries where status = 'pending'"
  await rounds(async () => {
    const [{ count }] = await store.query(pending)
    if (kills > 0 && made >= wanted && Number(count) === 0) return
    await pause(1_500 + Math.random() * 2_000)
    let open = () => {}
    back = new Promise(resolve => {
      open = resolve
    })
    await service.kill()
    kills += 1
    service = await launch(env)
    open()
    stranded += Number((await store.query(STRANDED))[0].count)
  })
  await writing
  stranded += Number((await store.query(STRANDED))[0].count)
  expect(stranded === 0, `${stranded} pending deliveries had no live job`)
  // The dead server now responds that its address no longer exists. Sending its deliveries again makes them due.
  dead.manner = manners.gone
  // An attempt that was already due may have disabled the webhook before this request, which is then rejected.
  await lender(service).api('POST', `/webhooks/${deadHook}/redeliver`, { since }, { 'idempotency-key': randomUUID() })
  const isOn = `select count(*) as count from webhooks where id = '${deadHook}' and status <> 'disabled'`
  expect(await nothingLeft(store, isOn), 'the webhook for the dead address was not disabled')
  over = true
  await watching
  const waiting = Number((await store.query(pending))[0].count)

  const entities = await store.query("select id from events where type = 'entity.create'")
  expect(entities.length === wanted, `${entities.length} events of ${wanted} entities`)
  const rows = await store.query('select id, webhook_id as hook, status, event_id as event from deliveries')
  const of = hook => rows.filter(row => row.hook === hook)
  const count = (list, status) => list.filter(row => row.status === status).length
  let unlisted = 0
  let unheard = 0
  for (const [index, hook] of hooks.entries()) {
    const { acknowledged, forged } = receivers[index]
    expect(forged === 0, `${forged} deliveries had no valid signature`)
    const known = new Map(of(hook).map(row => [row.id, row.status]))
    if (hook !== deadHook && known.size !== wanted) unlisted += wanted - known.size
    for (const [id, status] of known) {
      expect(status !== 'delivered' || acknowledged.has(id), 'a delivery is listed as delivered but never arrived')
      // The delivery was acknowledged to a process that was killed before it could record the acknowledgment.
      if (status !== 'delivered' && acknowledged.has(id)) unheard += 1
    }
    for (const id of acknowledged.keys()) expect(known.has(id), 'an unlisted delivery arrived')
  }
  const stillOn = await store.query("select id from webhooks where status in ('active', 'requires_attention')")
  if (stillOn.length === hooks.length - 1) expect(unlisted === 0, `${unlisted} events have no delivery`)
  expect(unheard <= kills * hooks.length * AT_ONCE, `${unheard} deliveries arrived but are not listed as delivered`)
  const late = dead.calls.filter(at => at > offAt + IN_FLIGHT).length
  expect(offAt === null || late === 0, `${late} calls arrived after the webhook was disabled`)
  const before = {
    delivered: count(rows, 'delivered'),
    failed: count(rows, 'failed'),
    canceled: count(rows, 'canceled'),
  }
  const first = receivers.flatMap(({ acknowledged }) => [...acknowledged.values()])
  const twice = first.filter(times => times > 1).length

  for (const receiver of receivers) receiver.manner = manners.well
  const customer = lender(service)
  let queued = 0
  for (const hook of hooks) {
    await customer.must('PATCH', `/webhooks/${hook}`, { status: 'active' })
    queued += (await customer.must('POST', `/webhooks/${hook}/redeliver`, { since })).queued
  }
  const rest = `select ${hooks.length * wanted} - count(*) as count from deliveries where status = 'delivered'`
  expect(await nothingLeft(store, rest), 'one redelivery did not deliver the rest')
  for (const [index, { acknowledged }] of receivers.entries())
    expect(acknowledged.size === wanted, `${acknowledged.size} of ${wanted} arrived at the ${addresses[index]} address`)
  for (const { close } of receivers) await close()
  return (
    `${kills} kills under ${wanted} events to ${hooks.length} addresses: ${before.delivered} delivered (${twice} of them twice), ` +
    `${before.failed} failed, ${before.canceled} canceled and ${waiting} pending with a live job, all listed, ${queued} redelivered by one call each; ` +
    `the webhook for the dead address was disabled after ${offAt === null ? 'never' : dead.calls.filter(at => at <= offAt + IN_FLIGHT).length} calls and not called again`
  )
}

export const trials = [
  {
    name: 'webhooks under kills',
    run: webhooksUnderKills,
    rounds: [2, 40],
    seconds: 240,
    amount: [300, 10_000],
  },
]
