/**
 * The companies that the service calls: none, an operator's connector with the sandbox behind it, or the emulators of
 * Twilio and Increase. The network to them loses, repeats, breaks and delays calls.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlaid } from './plaid.mjs'
import { LONG_PAUSE_MS } from './world.mjs'

const CONNECTOR_KEY = Buffer.alloc(32, 9).toString('base64')
const HOOK_SECRET = 'the shared secret of the subscription'
/** A day at the emulated bank lasts 43 seconds. */
const SPEED = 2_000
const FUNDS = { routing: '101050001', number: '987654321' }
const SANDBOX_CODE = '123456'
/** The path of the connector to which cancellations go. */
const CANCEL_PATH = '/rail/cancel'

/** The sandbox behind the connector contract, with a record of what the rail did. */
function createConnectorCompany({ product, expect, stop, timeline, query, areClocksRight }) {
  const wait = ms => new Promise(resolve => setTimeout(resolve, ms))
  const sandbox = product.createSandbox({ sleep: wait })
  const submitted = new Map()
  const canceled = new Set()
  const refused = new Set()
  /** The latest time of a call about each payment. A rail's clock never goes back, even if a call arrives late. */
  const latest = new Map()
  const timeOf = ({ request_id, now }) => {
    const time = Math.max(now, latest.get(request_id) ?? now)
    latest.set(request_id, time)
    return time
  }
  /** Every call about a payment that the rail has received has the dates with which it was submitted. */
  function expectOwnDates({ request_id, source_date, destination_date }) {
    const first = submitted.get(request_id)
    expect(
      !first || (first.source_date === source_date && first.destination_date === destination_date),
      `the rail received ${request_id} with the dates ${first?.source_date} and ${first?.destination_date}, and then a call with ${source_date} and ${destination_date}`,
    )
  }
  const rail = {
    ...sandbox.rail,
    async submit(call) {
      expect(!submitted.has(call.request_id), `the rail received ${call.request_id} twice`)
      expectOwnDates(call)
      // A submission that began before the stop may arrive during the stop.
      const [team] = query(
        'select t.clock_offset from teams t join payments p on p.team_id = t.id where p.id = ?',
        call.request_id,
      )
      expect(
        stop.since === null || !areClocksRight() || call.now - (team?.clock_offset ?? 0) <= stop.since,
        `the rail received ${call.request_id}, whose submission began after payments were stopped`,
      )
      submitted.set(call.request_id, call)
      timeline.note('rail', `receives ${call.request_id}, ${call.amount} cents`)
      const answer = await sandbox.rail.submit(call)
      if (answer.status === 'refused') refused.add(call.request_id)
      return answer
    },
    // The sandbox's rail keeps no record, so this one remembers what it received and canceled.
    async cancel(call) {
      const inTime = { ...call, now: timeOf(call) }
      const answer = submitted.has(call.request_id) ? await sandbox.rail.cancel(inTime) : { status: 'canceled' }
      if (answer.status === 'canceled') canceled.add(call.request_id)
      timeline.note('rail', `is asked to cancel ${call.request_id}: ${answer.status}`)
      return answer
    },
    async status(call) {
      expectOwnDates(call)
      timeOf(call)
      // A payment from outside is not submitted.
      const isOwn = submitted.has(call.request_id) || call.source === null
      if (isOwn && !canceled.has(call.request_id)) return sandbox.rail.status(call)
      return {
        status: 'pending',
        code: null,
        source_trace_id: null,
        destination_trace_id: null,
        returned: null,
        next_at: null,
      }
    },
  }
  let ids = 0
  const answer = product.createConnector({
    exchange: product.createPortsExchange({ ...sandbox, rail }),
    keys: product.readSharedKeys(CONNECTOR_KEY),
    clock: Date.now,
    id: () => `answer_${String(++ids).padStart(12, '0')}`,
  })
  return {
    env: { CONNECTOR_URL: 'https://connector.example', CONNECTOR_KEY },
    hosts: { 'connector.example': answer },
    codeOf: () => SANDBOX_CODE,
    /** Compares the rail's record with the payments. */
    check(payments) {
      for (const { id, source, amount, status } of payments) {
        if (source === null) continue
        const call = submitted.get(id)
        const moved = call && !canceled.has(id) && !refused.has(id)
        expect(!call || call.amount === amount, `${id} is ${amount}, but the rail moved ${call?.amount}`)
        expect(
          moved || ['canceled', 'failed', 'pending'].includes(status),
          `${id} is ${status}, but the rail did not move it`,
        )
        expect(!moved || status !== 'canceled', `${id} is canceled, but the rail moved it`)
        expect(
          !canceled.has(id) || ['canceled', 'failed'].includes(status),
          `the rail canceled ${id}, but the payment is ${status}`,
        )
      }
    },
  }
}

/** The emulators of Twilio, which texts codes, and of Increase, which pays. */
function createEmulatedCompanies({ product, expect, deliver, faults, folder, random, timeline }) {
  const twilio = product.createTwilioEmulator()
  const bank = product.createIncreaseEmulator({
    speed: SPEED,
    accounts: [{ name: 'Lender', balance: 1_000_000_000_00, ...FUNDS }],
    webhooks: { url: 'https://api.causeway.example/hooks/increase', secret: HOOK_SECRET },
  })
  const ids = product.twilioIds
  /** Sends a webhook over a network that loses some, and delivers others twice. */
  function send(company, { url, headers, body }) {
    if (faults.hit('lose the webhook of a company', company)) return
    const times = faults.hit('deliver the webhook of a company twice', company) ? 2 : 1
    for (let time = 0; time < times; time += 1) deliver(company, { path: new URL(url).pathname, headers, body })
  }
  // With Plaid, people link their institutions. Without it, the sandbox finds their accounts.
  const plaid = random.chance(0.7) ? createPlaid({ send, faults, random, timeline }) : null
  return {
    env: {
      PROVIDERS: `twilio,${plaid ? 'plaid,' : ''}increase,sandbox`,
      ...plaid?.env,
      TWILIO_API_URL: 'https://twilio.example',
      TWILIO_ACCOUNT_SID: ids.account,
      TWILIO_API_KEY: ids.apiKey,
      TWILIO_API_SECRET: ids.apiSecret,
      TWILIO_VERIFY_SERVICE: ids.service,
      INCREASE_API_URL: 'https://increase.example',
      INCREASE_API_KEY: 'emulator_api_key',
      INCREASE_WEBHOOK_SECRET: HOOK_SECRET,
    },
    hosts: { 'twilio.example': twilio.answer, 'increase.example': bank.answer, ...plaid?.hosts },
    browse: plaid?.browse ?? null,
    isFast: true,
    funds: FUNDS,
    codeOf: phone => twilio.codeOf(phone),
    /** Moves transfers, and sends webhooks. Runs once a virtual second. */
    tick() {
      bank.bank.runSteps()
      for (const hook of bank.takeWebhooks()) send('increase', hook)
      void plaid?.tick()
    },
    /** Moves the bank's clock. */
    forward: ms => bank.forward(ms),
    /** Tells the service how to pay the merchants. */
    async prepare({ operate, merchants }) {
      const file = join(folder, 'payees.csv')
      const lines = [
        merchant => `${merchant},ach,021000021,5550001,ccd,REF {payment},,,,,,`,
        merchant => `${merchant},check,,,,,Card Services,PO Box 1,Dallas,TX,75201,Ref {payment}`,
        merchant => `${merchant},ach,021000021,779801,ccd,REF {payment},,,,,,`,
      ]
      const rows = merchants.map((merchant, index) => lines[index % lines.length](merchant))
      writeFileSync(
        file,
        `merchant,route,routing,account,sec,addenda,name,line1,city,state,zip,memo\n${rows.join('\n')}\n`,
      )
      await operate('payee', 'import', file, '--by', 'Ana Diaz')
      await operate('payee', 'confirm', 'all', '--by', 'Ben Okafor')
    },
    /** Compares the bank's transfers with the payments. */
    check(payments) {
      const byId = new Map(payments.map(payment => [payment.id, payment]))
      const seen = new Set()
      for (const { id, idempotency_key: key, amount, status } of bank.transfers.all.values()) {
        const payment = byId.get(key)
        // Transfers of reversals have other keys.
        if (!payment) continue
        expect(!seen.has(key), `the bank has two transfers of ${key}`)
        seen.add(key)
        const net = payment.amount - (JSON.parse(payment.fee)?.amount ?? 0)
        expect(amount === net, `${key} pays ${net}, but the bank paid ${amount}`)
        const isStopped = ['canceled', 'stopped', 'rejected', 'returned'].includes(status)
        expect(isStopped || payment.status !== 'canceled', `${key} is canceled, but transfer ${id} is ${status}`)
      }
      for (const { id, status } of payments)
        expect(
          seen.has(id) || ['canceled', 'failed', 'pending'].includes(status),
          `${id} is ${status}, but the bank has no transfer`,
        )
    },
  }
}

/** @param setup `sandbox`, `connector` or `emulators` */
export function createCompanies(setup, deps) {
  const { world, faults, random } = deps
  const create = { connector: createConnectorCompany, emulators: createEmulatedCompanies }[setup]
  const companies = {
    env: {},
    hosts: {},
    /** True if the bank's clock is faster than the service's. The comparison of the two, an hour apart, is then wrong. */
    isFast: false,
    funds: null,
    codeOf: () => SANDBOX_CODE,
    /** Signs in to an institution, if people link their institutions. */
    browse: null,
    tick() {},
    forward() {},
    async prepare() {},
    check() {},
    ...create?.(deps),
  }
  const counts = { calls: 0 }
  /** The virtual time until which the line to a company is cut. */
  const cutUntil = new Map()

  /** Most late calls are late by so little that another call overtakes them. */
  const randomDelay = () => (random.chance(0.8) ? random.whole(20, 1_000) : random.whole(1_000, 12_000))

  /** Sends a request to a company. @returns the response as text, or null if none arrives */
  async function call(url, { method = 'GET', headers, body }) {
    const { host, pathname } = new URL(url)
    const text = body === undefined || body === null ? undefined : String(body)
    counts.calls += 1
    if (world.now() < cutUntil.get(host) || faults.hit('lose a call to a company', host)) return null
    const arrive = () => companies.hosts[host](new Request(url, { method, headers, body: text }))
    let response = await arrive()
    if (faults.hit('deliver a call to a company twice', host)) response = await arrive()
    const content = await response.text()
    if (faults.hit('lose the answer of a company', host)) return null
    if (faults.hit('break the answer of a company', host))
      return { status: 502, headers: { 'content-type': 'text/html' }, content: '<h1>Bad gateway</h1>' }
    if (pathname === CANCEL_PATH && faults.hit('delay the answer to a cancellation', host))
      await new Promise(resolve => world.schedule(world.outside, random.whole(100, 5_000), resolve))
    return { status: response.status, headers: Object.fromEntries(response.headers), content }
  }

  return {
    ...companies,
    counts,
    /** Cuts the lines to all companies for some ms, while there are faults. */
    cutLines(ms) {
      if (!faults.areOn) return
      for (const host of Object.keys(companies.hosts)) cutUntil.set(host, world.now() + ms)
    },
    /** Cuts the lines to companies. Runs once a virtual second. */
    disturb() {
      for (const host of Object.keys(companies.hosts))
        if (faults.hit('cut the line to a company for a while', host))
          cutUntil.set(host, world.now() + random.whole(2_000, 20_000))
    },
    /** Creates the `fetch` of a process. */
    connect:
      process =>
      (url, init = {}) =>
        new Promise((resolve, reject) => {
          const { signal } = init
          signal?.addEventListener('abort', () => reject(signal.reason))
          const late = faults.hit('delay the answer of a company', process.name) ? random.whole(1_000, 12_000) : 0
          const early = faults.hit('delay a call to a company', process.name) ? randomDelay() : 0
          world.schedule(world.outside, early + 1 + random.next() * 30, async () => {
            const reply = await call(url, init)
            // The process is asleep until others may have taken over the job that made the call.
            if (faults.hit('pause a process before an answer of a company', process.name))
              world.pause(process, random.whole(...LONG_PAUSE_MS))
            world.schedule(process, late + random.next() * 30, () => {
              if (!reply) return reject(new TypeError('fetch failed'))
              const { status, headers, content } = reply
              resolve(new Response(status === 204 ? null : content, { status, headers }))
            })
          })
        }),
  }
}
