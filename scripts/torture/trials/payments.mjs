/**
 * Makes payments with continuously running clients, a failing rail, failing webhook receivers, and processes that are
 * killed repeatedly.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createBooks } from '../books.mjs'
import { createCrew } from '../crew.mjs'
import { lender } from '../lender.mjs'
import { createPayers } from '../payers.mjs'
import { createRail } from '../rail.mjs'
import { createReceiver, manners } from '../receiver.mjs'
import { environment } from '../service.mjs'

const CLIENTS = 32
/**
 * The time limit for finishing all due work after the last kill, in ms. It allows for the leases of dead processes and
 * for the jobs that wait for those leases.
 */
const CALM = 120_000
/** The number of requests to repeat with the same key. */
const SAMPLE = 400
const admin = fileURLToPath(new URL('../../../apps/api/dist/main/admin.js', import.meta.url))
const secret = 'torture of payments and events'

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Runs one process with all roles. */
const paymentsUnderKills = trial => underDisturbance(trial, ['all'])
/** Runs two API processes and one worker on the same store. */
const paymentsOfSeveral = trial => underDisturbance(trial, ['api', 'api', 'worker'])
/** Stops processes gracefully while clients keep their connections open. */
const paymentsUnderStops = trial =>
  underDisturbance(trial, ['all'], { what: 'orderly stops', act: crew => crew.killOne('SIGTERM') })
/** Repeatedly breaks all connections to PostgreSQL at the same time. No process ends. */
const paymentsOverBrokenConnections = trial =>
  underDisturbance(trial, ['api', 'worker'], {
    what: 'times all connections broken',
    async act(crew, store) {
      await store.breakConnections()
      crew.kills += 1
    },
  })
const kills = { what: 'kills', act: crew => crew.killOne() }

/** Returns the output of `pnpm admin ledger check`. */
const ledgerCheck = (store, env) =>
  new Promise(resolve => {
    execFile(process.execPath, [admin, 'ledger', 'check'], { env: environment(store, env) }, (error, out, said) =>
      resolve(out ? JSON.parse(out) : { ok: false, payments: 0, asked: 0, faults: [said || String(error)] }),
    )
  })

const jobsOf = (store, payment) =>
  store.query(
    `select kind, state, run_at - ${Date.now()} as due_in, attempts, lease_until, last_error from jobs where payload like '%${payment}%'`,
  )

/** Returns all of the service's payments, by id. */
async function everyPayment(crew) {
  const found = new Map()
  for (let from = ''; ; ) {
    const { json, headers } = await crew.ask('GET', `/payments?page_limit=100${from}`)
    for (const payment of json.data) found.set(payment.id, payment)
    const next = headers['pagination-page-cursor-next']
    if (!next) return found
    from = `&page_cursor=${next}`
  }
}

/** Compares the payments in the store with the rail's own record, and counts the rail's actions. */
async function heldAgainst({ came, denied, did }, store, expect) {
  const times = path => [...came].filter(([key]) => key.startsWith(`${path} `)).map(([, count]) => count)
  for (const path of ['rail/submit', 'rail/cancel', 'rail/reverse']) {
    const again = [...came].filter(([key, count]) => key.startsWith(`${path} `) && count > 1 && !denied.has(key)).length
    expect(
      again === 0,
      `${again} acts reached the rail again at ${path}, although it never reported that they had not arrived`,
    )
  }
  for (const [key, done] of did) expect(done.length === 1, `the rail executed ${key} ${done.length} times`)
  const rows = await store.query('select id, status, amount, source, destination, simulated from payments')
  for (const { id, status, amount, source, destination, simulated } of rows) {
    const submitted = did.get(`rail/submit ${id}`)?.[0]
    const canceled = did.get(`rail/cancel ${id}`)?.[0].answer.status === 'canceled'
    if (submitted) {
      const { call } = submitted
      const agrees = call.amount === amount && call.source.id === source && call.destination.id === destination
      expect(agrees, 'the rail received a different payment than the store has')
    }
    if (simulated) continue
    // Like a canceled payment, a payment that failed while it was being canceled has not moved any money.
    const still = status === 'canceled' || status === 'failed'
    expect(!canceled || still, `the rail canceled a payment that is ${status}`)
    expect(submitted || canceled || status === 'pending', `${id} is ${status}, but the rail never received it`)
    const back = canceled || submitted?.answer.code === 10004
    expect(status !== 'canceled' || back, 'a payment is canceled, but the rail still has it')
  }
  return { submitted: times('rail/submit').length, reversed: times('rail/reverse').length, payments: rows.length }
}

/**
 * Runs 32 clients until the rounds end. The time between two kills is one to four times `amount` ms. At the end, waits
 * for all due work to finish and compares every response with the service, the store, the ledger and the rail's own
 * record.
 */
export async function underDisturbance(trial, roles, disturbance = kills) {
  const rail = await createRail()
  const receivers = await Promise.all(['moody', 'stubborn', 'well'].map(name => createReceiver(manners[name], secret)))
  try {
    return await withOutside(trial, roles, disturbance, rail, receivers)
  } finally {
    for (const { close } of [rail, ...receivers]) await close()
  }
}

async function withOutside({ launch, rounds, expect, store, amount }, roles, disturbance, rail, receivers) {
  const env = { ...rail.env, OUTBOUND_LOOPBACK: 'allow', ...disturbance.env }
  const crew = await createCrew(launch, env, roles, disturbance)
  const customer = lender(await crew.anyone())
  for (const [index, type] of ['payment.create', 'payment.update', 'payment.create'].entries())
    await customer.must('POST', '/webhooks', { type, url: receivers[index].origin, hmac_secret: secret })
  const books = createBooks(expect)
  const payers = createPayers({ crew, books, debtor: await customer.debtor(), expect })
  let over = false
  const clients = Array.from({ length: CLIENTS }, () => payers.client(() => over))
  const working = Promise.all([...clients, payers.clock(() => over)])
  let broke = null
  working.catch(error => {
    broke = error
  })
  try {
    await rounds(async () => {
      if (broke) return
      await pause(amount * (1 + Math.random() * 3))
      await disturbance.act(crew, store)
    })
  } finally {
    over = true
  }
  await working

  const due = () =>
    store.query(`select count(*) as count from jobs where lane is null and state = 'ready' and run_at <= ${Date.now()}`)
  for (const until = performance.now() + CALM; performance.now() < until; await pause(250))
    if (Number((await due())[0].count) === 0) break
  expect(Number((await due())[0].count) === 0, 'due jobs did not finish')

  const now = await everyPayment(crew)
  books.compare(now)
  const ofKey = new Map()
  for (const { id, metadata } of now.values())
    if (metadata) ofKey.set(metadata.key, [...(ofKey.get(metadata.key) ?? []), id])
  const paid = [...payers.answers].filter(([, each]) => each.path === '/payments')
  for (const [key, { status, text }] of paid) {
    const made = ofKey.get(key) ?? []
    const told = status === 200 ? [JSON.parse(text).id] : []
    expect(JSON.stringify(made) === JSON.stringify(told), 'a key has different payments than its response')
  }
  const ofSessions = [...payers.releases.values()].flatMap(told => Object.values(JSON.parse(told)).filter(Boolean))
  for (const id of ofSessions) expect(now.has(id), 'a payment of an acknowledged release is missing')
  const wanted = payers.counts.paid + ofSessions.length
  expect(now.size === wanted, `${now.size} payments, of which ${wanted} were acknowledged`)
  const step = Math.ceil(payers.answers.size / SAMPLE)
  for (const [key, { path, body, text }] of [...payers.answers].filter((_, index) => index % step === 0)) {
    const again = await crew.ask('POST', path, body, key)
    const same = again.text === text && again.headers['idempotency-replayed'] === 'true'
    expect(same, 'a key returns a different response after the kills')
  }
  const record = await heldAgainst(rail, store, expect)
  const ledger = await ledgerCheck(store, env)
  const faults = ledger.faults.slice(0, 3)
  const jobs = await Promise.all(faults.map(({ payment_id }) => jobsOf(store, payment_id)))
  expect(
    ledger.ok,
    `the ledger check found ${ledger.faulty}: ${JSON.stringify(faults)}, with jobs ${JSON.stringify(jobs)}`,
  )
  for (const { forged } of receivers) expect(forged === 0, `${forged} deliveries had no valid signature`)
  const heard = receivers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
  const { counts } = payers
  const putOff = [...crew.putOff].map(([code, count]) => `${count} ${code}`).join(', ') || 'none'
  return (
    `${crew.kills} ${disturbance.what} of ${roles.length === 1 ? 'the process' : `${roles.length} processes`} under ${CLIENTS} clients: ` +
    `${paid.length} keys, ${now.size} payments, none duplicated and none lost; ${counts.canceled} canceled, ${counts.moved} moved manually, ` +
    `${counts.approved} reversals approved, ${counts.released} transfers released, ${counts.refused} rejected by the rules; ` +
    `${crew.brokenOff} responses were cut off and requested again, ${crew.timedOut} did not arrive in time, deferred: ${putOff}; open again after at most ${Math.round(crew.slowest)} ms; ` +
    `the rail executed ${record.submitted} payments and ${record.reversed} reversals, each once; ` +
    `the ledger of ${ledger.payments} payments holds, ${ledger.asked} of them checked with the rail; ${heard} deliveries arrived`
  )
}

export const trials = [
  {
    name: 'payments under kills',
    run: paymentsUnderKills,
    rounds: [4, 1_000],
    seconds: 300,
    amount: [1_000, 2_000],
  },
  {
    name: 'payments under kills, two processes and a worker',
    run: paymentsOfSeveral,
    rounds: [4, 1_000],
    seconds: 300,
    amount: [1_000, 2_000],
    on: 'postgres',
    whole: true,
  },
  {
    name: 'payments under orderly stops',
    run: paymentsUnderStops,
    rounds: [3, 60],
    seconds: 120,
    amount: [1_000, 2_000],
    whole: true,
  },
  {
    name: 'payments over broken connections',
    run: paymentsOverBrokenConnections,
    rounds: [6, 200],
    seconds: 120,
    amount: [300, 600],
    on: 'postgres',
  },
]
