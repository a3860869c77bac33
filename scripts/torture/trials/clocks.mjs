/** Runs two processes whose clocks differ by far more than the length of a job's lease. */
import { lender } from '../lender.mjs'
import { createReceiver, manners } from '../receiver.mjs'
import { underDisturbance } from './payments.mjs'

/** The number of milliseconds by which each process's clock is ahead of the machine's clock. A lease lasts 15 s. */
const SKEWS = [-60_000, 60_000]
/** The maximum time to wait for all deliveries, in ms. The limit only protects against hangs. */
const HANG_TIMEOUT_MS = 180_000
const secret = 'torture of clocks that differ'

const preload = new URL('../skew.mjs', import.meta.url).href
const skewed = ms => ({ NODE_OPTIONS: `--import=${preload}`, SKEW_MS: String(ms) })

/**
 * Sends `amount` events to a receiver that takes 1.5 seconds for each, which gives the other process time to mistake a
 * running delivery for an abandoned one. Each event must arrive exactly once.
 */
async function webhooksUnderSkew({ launch, expect, store, amount }) {
  const receiver = await createReceiver(manners.late, secret)
  try {
    const services = await Promise.all(SKEWS.map(ms => launch({ OUTBOUND_LOOPBACK: 'allow', ...skewed(ms) })))
    const [customer, other] = services.map(service => lender(service))
    await customer.must('POST', '/webhooks', { type: 'entity.create', url: receiver.origin, hmac_secret: secret })
    for (let made = 0; made < amount; made += 1) {
      const body = { type: 'corporation', corporation: { name: 'Late' } }
      await (made % 2 ? other : customer).must('POST', '/entities', body)
    }
    const left = async () => {
      const [{ count }] = await store.query("select count(*) as count from deliveries where status <> 'delivered'")
      return Number(count)
    }
    for (const until = performance.now() + HANG_TIMEOUT_MS; performance.now() < until && (await left()) > 0; )
      await new Promise(resolve => setTimeout(resolve, 250))
    expect((await left()) === 0, 'deliveries have not arrived')
    const { acknowledged, calls } = receiver
    const twice = [...acknowledged.values()].filter(count => count > 1).length
    expect(acknowledged.size === amount, `${acknowledged.size} of ${amount} events arrived`)
    expect(twice === 0, `${twice} events arrived twice`)
    expect(calls.length === amount, `${calls.length} calls for ${amount} events`)
    return `two processes with clocks two minutes apart: ${amount} slow deliveries, each sent once`
  } finally {
    await receiver.close()
  }
}

/** Makes payments with processes whose clocks differ, while killing those processes. */
const paymentsUnderSkew = trial =>
  underDisturbance(trial, ['all', 'all'], {
    what: 'kills with clocks two minutes apart',
    envs: SKEWS.map(skewed),
    act: crew => crew.killOne(),
  })

export const trials = [
  {
    name: 'webhooks, clocks apart',
    run: webhooksUnderSkew,
    rounds: [1, 1],
    seconds: 300,
    amount: [32, 320],
    on: 'postgres',
  },
  {
    name: 'payments under kills, clocks apart',
    run: paymentsUnderSkew,
    rounds: [3, 60],
    seconds: 90,
    amount: [1_000, 2_000],
    on: 'postgres',
    whole: true,
  },
]
