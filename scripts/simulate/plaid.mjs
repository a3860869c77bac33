/** The emulator of Plaid, and the people who sign in on its page. */
import { product } from './product.mjs'

const HOST = 'plaid.example'
/** The share of the seconds in which something happens at an institution, and what then happens. */
const HAPPENING_SHARE = 0.1
const happenings = { purchase: 6, break: 1, revoke: 1 }

/** @param send sends a webhook, which may be lost or delivered twice */
export function createPlaid({ send, faults, random, timeline }) {
  const plaid = product.createPlaidEmulator({ origin: `https://${HOST}` })
  let purchases = 0

  const acts = {
    purchase(id) {
      purchases += 1
      const { accounts } = plaid.items.get(id)
      plaid.recordTransaction(id, {
        added: {
          account_id: random.pick(accounts).account_id,
          transaction_id: `transaction${purchases}`,
          amount: random.whole(1, 90),
          date: new Date().toISOString().slice(0, 10),
        },
      })
    },
    break: id => plaid.breakItem(id),
    revoke: id => plaid.revoke(id),
  }

  /** Lets something happen at an institution that a person has linked. */
  function happen() {
    const ids = [...plaid.items.keys()]
    if (ids.length === 0 || !random.chance(HAPPENING_SHARE)) return
    const what = random.weighted(happenings)
    timeline.note('plaid', what)
    acts[what](random.pick(ids))
  }

  return {
    env: {
      PLAID_API_URL: `https://${HOST}`,
      PLAID_CLIENT_ID: product.plaidKeys.clientId,
      PLAID_SECRET: product.plaidKeys.secret,
      PLAID_CLIENT_NAME: 'Example Lending',
      PLAID_WEBHOOK_URL: 'https://api.causeway.example/hooks/plaid',
      PLAID_TRANSACTIONS: 'on',
    },
    hosts: { [HOST]: plaid.answer },
    /** Does what a person does on Plaid's page. @param institution the id of the institution at which they sign in */
    async browse(url, institution) {
      const post = (path, form) =>
        plaid.answer(new Request(`${url}${path}`, { method: 'POST', body: new URLSearchParams(form) }))
      await plaid.answer(new Request(url))
      if (faults.areOn && random.chance(0.1)) return void (await post('/close', []))
      const username = faults.areOn && random.chance(0.1) ? 'user_repair' : 'user_good'
      const consent = await (await post('/sign-in', { institution, username, password: 'pass' })).text()
      const accounts = [...consent.matchAll(/name="account" value="([^"]+)"/g)].map(([, id]) => ['account', id])
      await post('/finish', accounts)
    },
    /** Runs once a virtual second. */
    async tick() {
      if (faults.areOn) happen()
      for (const hook of await plaid.takeWebhooks()) send('plaid', hook)
    },
  }
}
