/**
 * The emulator of Increase, behind a network that breaks. It runs in the fault test's process, which outlives the
 * service, and keeps its own record of what it paid.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { noFaults, withFaults } from '../../packages/connector/dist/emulator/faults.js'
import { serveFaulty } from '../../packages/connector/dist/emulator/server.js'
import { createIncreaseEmulator } from '../../packages/providers/dist/increase/emulator/emulator.js'
import { environment } from './service.mjs'

const SECRET = 'the shared secret of the subscription'
/** The account that payments leave from. */
export const funds = { routing: '101050001', number: '987654321' }
/** A day at the bank lasts 0.4 seconds. */
const SPEED = 200_000
const DELIVERY_INTERVAL_MS = 200
/** The time after which an interruption is given up, in ms. */
const INTERRUPTION_MS = 10_000
/** The fraction of webhooks that are lost for good. */
const LOST_WEBHOOKS = 0.02

const admin = fileURLToPath(new URL('../../apps/api/dist/main/admin.js', import.meta.url))

/** Runs a command of `pnpm admin`. Resolves to its output and its exit code. */
export const runAdmin = (store, env, ...args) =>
  new Promise(resolve => {
    execFile(
      process.execPath,
      [admin, ...args],
      { env: environment(store, env), maxBuffer: 64 * 1024 * 1024 },
      (error, output, said) => resolve({ code: error?.code ?? 0, output, said }),
    )
  })

/**
 * Returns `{ emulator, env, counts, met, interrupt(phase, work), settle(), deliverTo(find), close() }`.
 * `env` configures a service to pay through the bank. `interrupt` calls `work` once, at the next transfer that is
 * requested: `before` the bank sees the request, or `after` it created the transfer, but before its answer.
 * @param faults the rates of faults, from 0 to 1
 */
export async function createBank(faults) {
  const emulator = createIncreaseEmulator({
    speed: SPEED,
    accounts: [{ name: 'Lender', balance: 1_000_000_000_00, ...funds }],
    webhooks: { url: 'http://service/hooks/increase', secret: SECRET },
  })
  let interruption = null
  async function answer(request) {
    const isTransfer = request.method === 'POST' && /_transfers$/.test(new URL(request.url).pathname)
    const current = isTransfer ? interruption : null
    if (current) interruption = null
    if (current?.phase === 'before') await current.work()
    const response = await emulator.answer(request)
    if (current?.phase === 'after') await current.work()
    return response
  }
  const rates = { ...noFaults, ...faults, inARow: 3 }
  const network = withFaults(answer, {
    faults: rates,
    seed: 'bank',
    sleep: wait,
    keyOf: request => request.headers.get('idempotency-key') ?? request.url,
    groupOf: () => undefined,
  })
  const server = await serveFaulty(network.answer)
  const env = {
    PROVIDERS: 'increase,sandbox',
    INCREASE_API_URL: server.url,
    INCREASE_API_KEY: 'emulator_api_key',
    INCREASE_WEBHOOK_SECRET: SECRET,
  }

  let findOrigin = null
  const counts = { webhooks: 0, refused: 0 }
  /** Sends a webhook until the service accepts it, as the bank would. Some never arrive. */
  async function deliver({ headers, body }) {
    if (Math.random() < LOST_WEBHOOKS) return
    counts.webhooks += 1
    for (let attempts = 0; attempts < 5 && findOrigin; attempts += 1) {
      try {
        const response = await fetch(`${await findOrigin()}/hooks/increase`, { method: 'POST', headers, body })
        if (response.ok) return
        counts.refused += 1
      } catch {
        await wait(500)
      }
    }
  }
  const timer = setInterval(() => {
    emulator.bank.runSteps()
    const deliveries = emulator.takeWebhooks({ twice: Math.random() < 0.3, reversed: Math.random() < 0.3 })
    if (findOrigin) for (const delivery of deliveries) deliver(delivery)
  }, DELIVERY_INTERVAL_MS)

  return {
    emulator,
    env,
    counts,
    met: network.met,
    async interrupt(phase, work) {
      let finish = null
      const done = new Promise(resolve => {
        finish = resolve
      })
      const armed = { phase, work: () => work().then(finish) }
      interruption = armed
      await Promise.race([done, wait(INTERRUPTION_MS)])
      // A request that already took it finishes it.
      if (interruption === armed) interruption = null
      else await done
    },
    /** Ends the faults, and waits until every transfer has reached its last state, or for a minute. */
    async settle() {
      Object.assign(rates, noFaults)
      const last = new Set(['returned', 'rejected', 'stopped', 'canceled', 'deposited'])
      const isOpen = ({ status, settlement }) => !last.has(status) && !settlement
      for (const until = performance.now() + 60_000; performance.now() < until; await wait(DELIVERY_INTERVAL_MS))
        if (![...emulator.transfers.all.values()].some(isOpen)) return
    },
    /** Delivers webhooks from now on. @param find resolves to the API origin of a running process */
    deliverTo(find) {
      findOrigin = find
    },
    async close() {
      findOrigin = null
      clearInterval(timer)
      await server.close()
    },
  }
}

const lines = [
  // A day after they arrive, credits to 7700 accounts are returned, and credits to 7798 accounts get a notice.
  merchant => `${merchant},ach,021000021,5550001,ccd,REF {payment},,,,,,`,
  merchant => `${merchant},check,,,,,Card Services,PO Box 1,Dallas,TX,75201,Ref {payment}`,
  merchant => `${merchant},ach,021000021,770002,ccd,REF {payment},,,,,,`,
  merchant => `${merchant},ach,021000021,779801,ccd,REF {payment},,,,,,`,
]

/** Pays the merchants of some debts: by ACH, by check, by ACH that is returned as R02, and by ACH that gets a notice. */
export async function importPayees(store, env, merchants) {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-payees-'))
  const file = join(folder, 'payees.csv')
  const rows = merchants.map((merchant, index) => lines[index % lines.length](merchant))
  writeFileSync(file, `merchant,route,routing,account,sec,addenda,name,line1,city,state,zip,memo\n${rows.join('\n')}\n`)
  try {
    for (const args of [
      ['payee', 'import', file, '--by', 'Ana Diaz'],
      ['payee', 'confirm', 'all', '--by', 'Ben Okafor'],
    ]) {
      const { code, output, said } = await runAdmin(store, env, ...args)
      if (code !== 0) throw new Error(`${args.join(' ')} failed: ${output}${said}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
