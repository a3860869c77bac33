/** One simulation: starts the service and its clients, disturbs them, lets them finish, and checks the outcome. */
import { join } from 'node:path'
import { createBooks } from './books.mjs'
import { findViolations } from './checks.mjs'
import { createPayer } from './clients/payer.mjs'
import { createDebtor } from './clients/setup.mjs'
import { createFaults } from './faults.mjs'
import { createNetwork } from './network.mjs'
import { loadProduct } from './product.mjs'
import { createRandom } from './random.mjs'
import { createReceivers, WEBHOOK_SECRET } from './receivers.mjs'
import { createService, SECRET_KEY } from './service.mjs'
import { simulateStore } from './store-faults.mjs'
import { createTimeline } from './timeline.mjs'

/** The duration of the faults, in virtual ms. */
const CHAOS_MS = 5 * 60_000
/** The time after the last fault within which all work must be done, in virtual ms. */
const CALM_MS = 20 * 60_000
/** The number of commits between two checks of the store. */
const COMMITS_PER_CHECK = 40

export async function simulate({ world, seed, folder, only }) {
  const timeline = createTimeline(() => world.now())
  const randomOf = name => createRandom(`${seed} ${name}`)
  const violations = []
  function violate(sentence) {
    if (violations.includes(sentence)) return
    violations.push(sentence)
    timeline.note('CHECK', `VIOLATION: ${sentence}`)
  }
  const expect = (holds, sentence) => {
    if (!holds) violate(sentence)
  }
  const product = await loadProduct()
  const faults = createFaults({ seed, timeline, only })
  const file = join(folder, 'store.db')
  const canary = product.createCanary()
  const heard = body => canary.read(body)
  const logLines = []
  const random = randomOf('world')
  const roles = random.pick([['all'], ['all'], ['all', 'all'], ['api', 'all', 'worker']])
  let service
  const store = simulateStore({
    world,
    faults,
    random: randomOf('store'),
    timeline,
    file,
    isShared: roles.length > 1,
    countAlive: () => service.countAlive(),
  })
  const receivers = createReceivers({
    world,
    product,
    random: randomOf('receivers'),
    timeline,
    expect,
    query: store.query,
    heard,
  })
  service = createService({
    world,
    product,
    faults,
    random: randomOf('processes'),
    timeline,
    roles,
    env: {
      DATABASE_URL: `file:${file}`,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_SECRET_KEY: SECRET_KEY,
      RATE_LIMITS: '0',
    },
    outside: process => ({
      fetch: () => Promise.reject(new Error('no network')),
      outbound: receivers.connect(process),
    }),
    onLog(line, name) {
      logLines.push(line)
      if (line.includes('"error"')) violate(`${name} logged an error: ${line.replace(/"time":"[^"]*",?/, '')}`)
    },
  })
  const network = createNetwork({ world, service, faults, random: randomOf('network'), timeline, heard })
  const books = createBooks({ expect })

  /** The API as one client calls it. */
  function apiOf(name) {
    const own = randomOf(`keys of ${name}`)
    return {
      pause: network.pause,
      ask: (method, path, body, more) => network.ask(name, method, path, body, more),
      /** Sends a POST with a new key. Sometimes sends it twice at once, and sometimes again after some time. */
      async post(path, body, more) {
        const key = own.hex(12)
        const send = () => network.ask(name, 'POST', path, body, { ...more, key })
        const times = faults.areOn && own.chance(0.1) ? 2 : 1
        const replies = await Promise.all(Array.from({ length: times }, send))
        for (const reply of replies) books.noteAnswer(key, { path, body, ...more }, reply)
        if (own.chance(0.1)) {
          const delayMs = own.whole(1_000, 200_000)
          network.pause(delayMs).then(async () => books.noteAnswer(key, { path, body, ...more }, await send()))
        }
        return replies[0]
      },
    }
  }

  let checkedCommits = 0
  const check = () => {
    checkedCommits = store.state.commits
    for (const sentence of findViolations(store.query)) violate(sentence)
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

  /** Runs asynchronous code of clients as part of the simulation. */
  async function runClients(work, ms, what) {
    let isOver = false
    world.schedule(world.outside, 0, () => {
      work().then(
        () => {
          isOver = true
        },
        error => violate(`${what} failed: ${error.stack}`),
      )
    })
    expect((await runUntil(() => isOver, ms)) || violations.length > 0, `${what} did not end within ${ms / 1_000} s`)
  }

  service.start(store)
  expect(await runUntil(() => service.isReady(), 60_000), 'the service did not start')
  let debtor
  await runClients(
    async () => {
      const api = apiOf('setup')
      debtor = await createDebtor(api)
      for (const type of ['payment.create', 'payment.update', 'entity.create', 'account.create']) {
        const { url } = receivers.createReceiver(`receiver ${receivers.all.size + 1}`)
        const reply = await api.post('/webhooks', { type, url, hmac_secret: WEBHOOK_SECRET })
        expect(reply.status === 200, `a webhook was answered with ${reply.status}: ${reply.text}`)
      }
    },
    60_000,
    'the setup',
  )

  const chaosEndsAt = world.now() + CHAOS_MS
  const isOver = () => world.now() > chaosEndsAt
  faults.start()
  const disturb = () => {
    if (isOver()) return
    service.disturb()
    world.schedule(world.outside, 1_000, disturb)
  }
  world.schedule(world.outside, 0, disturb)
  const clientCount = random.whole(2, 6)
  await runClients(
    async () => {
      world.schedule(world.outside, CHAOS_MS, () => {
        faults.end()
        receivers.heal()
        timeline.note('world', 'the faults end')
      })
      await Promise.all(
        Array.from({ length: clientCount }, (_, index) => {
          const name = `payer ${index + 1}`
          return createPayer({ random: randomOf(name), api: apiOf(name), books, debtor, expect, isOver })()
        }),
      )
    },
    CHAOS_MS + CALM_MS,
    'the clients',
  )

  const countDue = () =>
    store.query(
      `select count(*) as count from jobs where state = 'ready' and run_at <= ${Math.floor(world.wallClock())}`,
    )[0].count
  if (violations.length === 0) {
    let lookedAt = world.now()
    const isDrained = await runUntil(() => {
      if (world.now() - lookedAt < 1_000) return false
      lookedAt = world.now()
      return countDue() === 0
    }, CALM_MS)
    expect(
      isDrained || violations.length > 0,
      `${countDue()} jobs were still due ${CALM_MS / 60_000} minutes after the last fault`,
    )
  }
  if (store.state.commits > 0) check()
  return {
    seed,
    violations,
    hash: timeline.digest(),
    roles: roles.join(' '),
    virtualSeconds: world.now() / 1_000,
    events: world.events,
    ...store.state,
    ...service.counts,
    ...network.counts,
    payments: books.payments.size,
    keys: books.answers.size,
    faults: faults.total,
    faultCounts: faults.counts,
    logLines: logLines.length,
    timeline: timeline.lines,
  }
}
