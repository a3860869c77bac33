/** A person with several tabs who divides a loan, and the lender that releases it. */
import { createInputs, redeem, walk } from './flow.mjs'
import { achNumbers } from './inputs.mjs'
import { createPerson, createSource, mustOf } from './setup.mjs'

const picky = achNumbers.find(({ refuses }) => refuses?.sub_type === 'MAX_AMOUNT_EXCEEDED').number
/** The time within which a tab that got no response can repeat its redemption, in ms. */
const EXCHANGE_MS = 55_000
/**
 * The time for which a process may still use the earlier clock of a team, in ms. A process remembers each key's team for
 * two seconds of its own clock, which faults move back by up to 70 seconds.
 */
const TEAM_CACHE_MS = 75_000

/** Rejections after which a lender tries again later: payments are stopped, or the source is still being verified. */
const mayWait = new Set(['PAYMENTS_STOPPED', 'INVALID_SOURCE_CAPABILITIES'])

export function createBorrower({ random, api, funds, codeOf, browse, expect, isOver, counts }) {
  const must = mustOf(api)
  const state = {}

  /**
   * Creates a token and redeems it in several tabs at once. Exactly one of them gets the session, unless the team's clock
   * moved meanwhile, which can make the token expire.
   */
  async function arrive(body) {
    const moves = counts.clockMoves
    const createdAt = performance.now()
    const { element_token: token, session_id } = await must('POST', '/elements/token', body)
    const tabs = random.whole(1, 3)
    const startedAt = performance.now()
    const replies = await Promise.all(Array.from({ length: tabs }, () => redeem(api, random, token)))
    const winners = replies.filter(({ status }) => status === 200)
    const isInTime =
      counts.clockMoves === moves &&
      moves % 2 === 0 &&
      createdAt - counts.clockMovedAt > TEAM_CACHE_MS &&
      performance.now() - startedAt < EXCHANGE_MS
    expect(
      winners.length === 1 || (winners.length === 0 && !isInTime),
      `${tabs} tabs redeemed one token, and ${winners.length} got the session: ${replies.map(({ status, json }) => json?.error?.sub_type ?? status)}`,
    )
    for (const { status, text, json } of replies)
      expect(
        status === 200 ||
          json?.error?.sub_type === 'EXPIRED_TOKEN' ||
          (!isInTime && json?.error?.sub_type === 'SESSION_EXPIRED'),
        `a redemption was answered with ${status}: ${text}`,
      )
    return { session_id, opened: winners[0]?.json }
  }

  /** Walks through the steps, sometimes with several tabs, and sometimes with a new token. @returns the last view */
  const walkThrough = (session_id, opened) =>
    walk(api, opened, {
      inputOf: createInputs({ random, codeOf, browse }),
      tabs: () => (random.chance(0.2) ? 2 : 1),
      async interrupt() {
        if (!random.chance(0.1)) return undefined
        return (await arrive({ type: 'balance_transfer', session_id })).opened ?? null
      },
    })

  const releaseOf = async session => {
    state.source ??= await (funds
      ? createSource(api, random, funds.number, funds.routing)
      : createSource(api, random, random.pick([picky, '123456789'])))
    return [`/opal/sessions/${session}`, { action: 'release_payments', data: { source: state.source } }]
  }

  /** Releases a session before its person has confirmed the amounts. */
  async function releaseEarly(session) {
    const reply = await api.ask('POST', ...(await releaseOf(session)))
    expect(reply.status === 400, `a release without a confirmation was answered with ${reply.status}: ${reply.text}`)
  }

  async function release(session) {
    const [path, body] = await releaseOf(session)
    const replies = await Promise.all([api.post(path, body), api.ask('POST', path, body)])
    if (replies.some(({ status, json }) => status !== 200 && mayWait.has(json?.error?.sub_type))) return
    for (const { status, text } of replies)
      expect(status === 200, `a release was answered with ${status}: ${text.slice(0, 300)}`)
    if (replies.some(({ status }) => status !== 200)) return
    const [first, second] = replies.map(({ json }) => JSON.stringify(json.data.bt.payment_ids))
    expect(first === second, `a release returned ${first} and ${second}`)
    counts.released += 1
  }

  return async () => {
    while (!isOver()) {
      const entity = await createPerson(must)
      const { session_id, opened } = await arrive({
        type: 'balance_transfer',
        entity_id: entity,
        balance_transfer: { loan_amount: 1_000_000 },
      })
      if (random.chance(0.2)) await releaseEarly(session_id)
      const view = opened && (await walkThrough(session_id, opened))
      if (view?.step === 'done') {
        counts.confirmed += 1
        const { json } = await api.ask('GET', `/opal/sessions/${session_id}`)
        expect(json.data.bt.completed, `session ${session_id} was confirmed on the screen, but is not`)
        await release(session_id)
      }
      await api.pause(random.whole(1_000, 10_000))
    }
  }
}
