/** The API as the clients call it: with retries, with double and late requests, and with keys that are used again. */
import { SECRET_KEY } from './service.mjs'

export function createApis({ network, books, faults, randomOf, expect }) {
  /** Sends a used key again with another body, and with another path. */
  async function misuse(key, path, body, first, secret) {
    const isSecret = path === '/team/keys'
    const mismatch = ({ headers }) => headers.get('idempotency-mismatch') === 'true'
    const other = await network.ask('misuser', 'POST', path, { ...body, description: 'misused' }, { key, secret })
    expect(
      mismatch(other) && (isSecret || (other.status === first.status && other.text === first.text)),
      `key ${key} with another body got ${other.status} ${other.text}`,
    )
    const elsewhere = await network.ask('misuser', 'POST', path === '/webhooks' ? '/entities' : '/webhooks', body, {
      key,
      secret,
    })
    expect(
      mismatch(elsewhere) && elsewhere.status === 400,
      `key ${key} with another path got ${elsewhere.status} ${elsewhere.text}`,
    )
  }

  /** The API as one client calls it. @param secret the API key */
  return function apiOf(name, secret = SECRET_KEY) {
    const own = randomOf(`keys of ${name}`)
    return {
      pause: network.pause,
      ask: (method, path, body, more) => network.ask(name, method, path, body, { secret, ...more }),
      /** Sends a POST with a new key. Sometimes sends it twice at once, and sometimes again after some time. */
      async post(path, body) {
        const key = own.hex(12)
        const send = () => network.ask(name, 'POST', path, body, { key, secret })
        const times = faults.areOn && own.chance(0.1) ? 2 : 1
        const replies = await Promise.all(Array.from({ length: times }, send))
        for (const reply of replies) books.noteAnswer(key, { path, body, secret }, reply)
        if (own.chance(0.1)) {
          const delayMs = own.whole(1_000, 200_000)
          network.pause(delayMs).then(async () => books.noteAnswer(key, { path, body, secret }, await send()))
        }
        if (own.chance(0.05) && replies[0].status === 200) await misuse(key, path, body, replies[0], secret)
        return replies[0]
      },
    }
  }
}
