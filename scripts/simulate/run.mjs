/** One simulation: starts the service and its clients, disturbs them, lets them finish, and checks the outcome. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApis } from './apis.mjs'
import { createBooks } from './books.mjs'
import { findViolations } from './checks.mjs'
import { chooseClients, creators } from './clients/clients.mjs'
import { createDebtor, mustOf } from './clients/setup.mjs'
import { createCompanies } from './companies.mjs'
import { createFaults } from './faults.mjs'
import { checkHistory } from './history.mjs'
import { createLeases } from './leases.mjs'
import { createNetwork } from './network.mjs'
import { product } from './product.mjs'
import { createRandom } from './random.mjs'
import { createReceivers, WEBHOOK_SECRET } from './receivers.mjs'
import { createService, SECRET_KEY } from './service.mjs'
import { createStatuses } from './statuses.mjs'
import { simulateStore } from './store-faults.mjs'
import { createTimeline } from './timeline.mjs'

/** The duration of the faults, in virtual ms. */
const CHAOS_MS = 60_000
/** One of this many seeds has a long outage of the disk. */
const SEEDS_PER_OUTAGE = 12
/** The factor by which the faults of a seed with a long outage last longer and are less frequent. */
const OUTAGE_SLOWDOWN = 16
/** The time after the last fault within which all work must be done, in virtual ms. */
const CALM_MS = 20 * 60_000
const DAY_MS = 86_400_000
/** The time that passes after the last fault before the work must be done, in virtual ms. */
const SETTLE_MS = 45_000
/** The number of commits between two checks of the store. */
const COMMITS_PER_CHECK = 50
/** The number of stored responses that are requested again at the end. */
const MAX_REPLAYS = 100
/** The time that the sandbox's clock moves at the end, in steps of days. */
const HORIZON = [1, 3, 6, 15, 35]
/** The statuses in which a payment still moves, 60 days after the last payment. */
const MOVING = "('pending', 'processing', 'sent')"
const WEBHOOK_TYPES = ['payment.create', 'payment.update', 'entity.create', 'account.create', 'opal_session.update']

export async function simulate({ world, seed, folder, only }) {
  const timeline = createTimeline(() => world.now())
  const randomOf = name => createRandom(`${seed} ${name}`)
  const violations = []
  let canReadStore = false
  function violate(sentence) {
    if (violations.includes(sentence)) return
    // What the store contains says more than the error that a client received for it.
    if (violations.length === 0 && canReadStore) {
      canReadStore = false
      for (const other of findViolations(query)) violate(other)
    }
    if (violations.includes(sentence)) return
    violations.push(sentence)
    timeline.note('CHECK', `VIOLATION: ${sentence}`)
  }
  const expect = (holds, sentence) => {
    if (!holds) violate(sentence)
  }
  const slowdown = Number(seed) % SEEDS_PER_OUTAGE === 0 ? OUTAGE_SLOWDOWN : 1
  const chaosMs = CHAOS_MS * slowdown
  const faults = createFaults({ seed, timeline, slowdown, only })
  const file = join(folder, 'store.db')
  const canary = product.createCanary()
  const heard = body => canary.read(body)
  const logLines = []
  const random = randomOf('world')
  const chosenRoles = random.pick([['all'], ['all'], ['all', 'all'], ['api', 'all', 'worker']])
  const roles = slowdown > 1 ? ['all'] : chosenRoles
  const setup = random.pick(['sandbox', 'connector', 'connector', 'emulators'])
  const stop = { since: null }
  const counts = { released: 0, confirmed: 0, canceled: 0, approved: 0, hours: 0, revoked: 0 }
  // Odd while a request that moves the team's clock is in progress.
  counts.clockMoves = 0
  counts.clockMovedAt = Number.NEGATIVE_INFINITY
  Object.assign(counts, { enrolled: 0, withdrawn: 0, redelivered: 0, stopped: 0, neighborly: 0, late: 0, received: 0 })
  let service
  let network
  const store = simulateStore({
    world,
    faults,
    random: randomOf('store'),
    timeline,
    file,
    isShared: roles.length > 1,
    stop,
    follow(database) {
      const moves = statuses.follow(database)
      const runs = leases.follow(database)
      return {
        run: runs.run,
        statement: moves.statement,
        end(isCommitted) {
          moves.end(isCommitted)
          runs.end()
        },
      }
    },
    countAlive: () => service.countAlive(),
  })
  const { query } = store
  const statuses = createStatuses({ expect })
  const leases = createLeases({ expect })
  /** True while the clocks of all processes are right. */
  const areClocksRight = () => service.processes.every(({ clock }) => clock.offset === 0 && clock.drift === 0)
  const shared = { world, product, faults, timeline, expect, folder, stop, query, areClocksRight }
  const receivers = createReceivers({ ...shared, random: randomOf('receivers'), isOutage: slowdown > 1 })
  const companies = createCompanies(setup, {
    ...shared,
    random: randomOf('companies'),
    /** Sends a company's webhook until the service accepts it. */
    deliver: (name, hook) => network.deliver(name, hook),
  })
  const env = {
    DATABASE_URL: `file:${file}`,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    BOOTSTRAP_SECRET_KEY: SECRET_KEY,
    RATE_LIMITS: '0',
    CODES_PER_TYPED_NUMBER: '999999',
    CODES_PER_SUPPLIED_NUMBER: '999999',
    CODES_PER_ADDRESS: '999999',
    CODES_PER_DAY: '999999',
    ...companies.env,
  }
  service = createService({
    ...shared,
    random: randomOf('processes'),
    roles,
    env,
    outside: process => ({ fetch: companies.connect(process), outbound: receivers.connect(process) }),
    onLog(line, name) {
      logLines.push(line)
      const { level, event } = JSON.parse(line)
      if (level === 'error' && !(event === 'ledger_fault' && companies.isFast))
        violate(`${name} logged an error: ${line}`)
    },
  })
  network = createNetwork({ ...shared, service, random: randomOf('network'), heard })
  const books = createBooks({ expect })
  /** Runs an operator's command. Waits, as the command does, while a process holds the write lock. */
  async function operate(...args) {
    for (;;)
      try {
        return await product.operate(product.readConfig(env, '/', { makeKey: false }), args, Date.now())
      } catch (error) {
        if (error.code !== 'SQLITE_BUSY' && error.errcode !== 5) throw error
        await network.pause(20)
      }
  }

  const apiOf = createApis({ network, books, faults, randomOf, expect })

  let checkedCommits = 0
  const check = () => {
    checkedCommits = store.state.commits
    for (const sentence of findViolations(query)) violate(sentence)
  }

  /** Runs the world until a condition holds. @returns false if that takes longer than `ms` */
  async function runUntil(isOver, ms) {
    const until = world.now() + ms
    let isDone = false
    world.schedule(world.outside, ms, () => {})
    await world.run(() => {
      if (store.state.commits - checkedCommits >= COMMITS_PER_CHECK) check()
      isDone = isOver()
      return isDone || world.now() > until || violations.length > 0
    })
    return isDone
  }

  /** Runs asynchronous code of clients as part of the simulation. @returns false after a violation */
  async function runClients(work, ms, what) {
    if (violations.length > 0) return false
    let isOver = false
    world.schedule(world.outside, 0, () => {
      work().then(
        () => {
          isOver = true
        },
        error => violate(`${what} failed: ${error.stack}`),
      )
    })
    const isDone = await runUntil(() => isOver, ms)
    expect(isDone || violations.length > 0, `${what} did not end within ${ms / 1_000} s`)
    return violations.length === 0
  }

  const countDue = () =>
    query(`select count(*) as count from jobs where state = 'ready' and run_at <= ${Math.floor(world.wallClock())}`)[0]
      .count

  /** Waits until no job is due. */
  async function drain(when) {
    if (violations.length > 0) return
    let lookedAt = Number.NEGATIVE_INFINITY
    const isDrained = await runUntil(() => {
      if (world.now() - lookedAt < 1_000) return false
      lookedAt = world.now()
      return service.isReady() && countDue() === 0
    }, CALM_MS)
    expect(isDrained || violations.length > 0, `${countDue()} jobs were still due ${CALM_MS / 60_000} minutes ${when}`)
  }

  const webhooks = []
  /** A key of each team. */
  const secrets = [SECRET_KEY]
  let debtor
  service.start(store)
  expect(await runUntil(() => service.isReady(), 60_000), 'the service did not start')
  canReadStore = true
  await runClients(
    async () => {
      const api = apiOf('setup')
      const must = mustOf(api)
      debtor = await createDebtor(api, { ...companies, random: randomOf('setup') })
      const debts = await Promise.all(debtor.accounts.map(id => must('GET', `/accounts/${id}`)))
      await companies.prepare({ operate, merchants: [...new Set(debts.map(({ liability }) => liability.mch_id))] })
      for (const type of WEBHOOK_TYPES.slice(0, random.whole(1, WEBHOOK_TYPES.length))) {
        const { url } = receivers.createReceiver(`receiver ${receivers.all.size + 1}`)
        webhooks.push((await must('POST', '/webhooks', { type, url, hmac_secret: WEBHOOK_SECRET })).id)
      }
    },
    120_000,
    'the setup',
  )

  const chaosEndsAt = world.now() + chaosMs
  const isOver = () => world.now() > chaosEndsAt
  const names = chooseClients(randomOf('clients'), slowdown > 1, only.clients)
  if (violations.length === 0) faults.start()
  const disturb = () => {
    companies.tick()
    if (!isOver()) {
      service.disturb()
      companies.disturb()
      store.disturb()
    }
    world.schedule(world.outside, 1_000, disturb)
  }
  world.schedule(world.outside, 0, disturb)
  world.schedule(world.outside, chaosMs, () => {
    faults.end()
    receivers.heal()
    timeline.note('world', 'the faults end')
  })
  await runClients(
    () =>
      Promise.all(
        names.map(name => {
          const context = { ...shared, ...companies, books, debtor, webhooks, secrets, operate, isOver, counts }
          return creators[name.split(' ')[0]]({ ...context, random: randomOf(name), api: apiOf(name), apiOf })()
        }),
      ),
    chaosMs + CALM_MS,
    'the clients',
  )
  await runUntil(isOver, chaosMs)
  // A job completes an unfinished cancellation half a minute later, and is not due until then.
  await runClients(() => network.pause(SETTLE_MS), CALM_MS, 'the wait')
  await drain('after the last fault')
  const chaosStatements = store.state.statements
  // Each process that runs jobs compares the payments with the ledger at its start, and logs an error if they differ.
  service.restart()
  await runUntil(() => service.isReady(), 60_000)
  await drain('after an orderly restart')
  receivers.calm()

  /** Requests stored responses again. */
  async function replay() {
    const api = network
    for (const [key, { path, body, secret, status, text }] of [...books.answers].slice(-MAX_REPLAYS)) {
      const reply = await api.ask('replay', 'POST', path, body, { key, secret })
      expect(
        reply.status === status && (reply.text === text || path === '/team/keys'),
        `key ${key} got ${status} ${text} and, at the end, ${reply.status} ${reply.text}`,
      )
    }
  }
  await runClients(replay, CALM_MS, 'the replays')
  for (const count of HORIZON) {
    companies.forward(count * DAY_MS)
    const forward = (secret, index) =>
      mustOf(apiOf(`day ${count} of team ${index + 1}`, secret))('POST', '/simulate/clock', { advance: `P${count}D` })
    await runClients(() => Promise.all(secrets.map(forward)), CALM_MS, 'the clocks')
    await drain(`after ${count} days passed`)
  }
  for (const [index, secret] of secrets.entries())
    await runClients(() => checkHistory(apiOf(`reader ${index + 1}`, secret), expect), CALM_MS, 'the events')
  if (store.state.commits > 0) check()
  if (violations.length === 0) {
    const payments = query('select id, status, amount, fee, source, destination, error from payments')
    books.compare(payments)
    companies.check(payments)
    receivers.check()
    const moving = query(`select id, status from payments where status in ${MOVING}`)
    expect(
      moving.length === 0,
      `${moving.length} payments still move after 60 days, such as ${JSON.stringify(moving[0])}`,
    )
    expect(query('pragma integrity_check')[0].integrity_check === 'ok', 'the SQLite file is corrupt')
    const leaks = new Set(canary.findInLog(logLines.join('\n')).map(what => `${what} in a log line`))
    for (const what of canary.find(receivers.bodies.join('\n'))) leaks.add(`${what} in a webhook`)
    for (const { table, text } of await product.dump('sqlite', async sql => query(sql)))
      for (const what of canary.find(text)) leaks.add(`${what} in table ${table}`)
    for (const suffix of ['', '-wal'])
      for (const what of canary.find(readFileSync(file + suffix))) leaks.add(`${what} in the file${suffix}`)
    expect(leaks.size === 0, `in plain text: ${[...leaks].join(', ')}`)
  }
  return {
    seed,
    violations,
    hash: timeline.digest(),
    roles: roles.join(' '),
    setup,
    clients: names,
    chaosStatements,
    virtualSeconds: world.now() / 1_000,
    events: world.events,
    ...store.state,
    ...service.counts,
    ...network.counts,
    ...companies.counts,
    ...counts,
    payments: books.payments.size,
    keys: books.answers.size,
    deliveries: violations.length === 0 ? query('select count(*) as count from deliveries')[0].count : 0,
    moves: statuses.counts,
    faults: faults.total,
    faultCounts: faults.counts,
    logLines: logLines.length,
    timeline: timeline.lines,
  }
}
