/** A person who goes through the flow in one of its other modes: cards, bank accounts, questions, and the person's own page. */
import { createInputs, redeem, walk } from './flow.mjs'
import { describedPhone, people } from './inputs.mjs'
import { createPerson, mustOf } from './setup.mjs'

/** A bank account that must be verified with deposits, and one whose bank returns them. */
const UNVERIFIED = ['1000000009', '1000000010']
const withoutDebts = people.find(({ debts, fails }) => debts.length === 0 && !fails).phone
/** The person whose cards the sandbox describes, and the one who types a card. */
const phoneOf = { cards: describedPhone, transactions: describedPhone, card: withoutDebts }
const phones = people.filter(({ fails, slow }) => !fails && !slow).map(({ phone }) => phone)

/** The account numbers that people send. */
const ach = number => ({ routing: '062103000', number, type: 'checking' })

export function createVisitor(context) {
  const { random, api, books, isOver, expect, counts } = context
  const must = mustOf(api)

  /** Returns what a token is for, and the person's phone. */
  const visits = {
    identity: () => ({ mode: 'identity_verification' }),
    transactions: () => ({ mode: 'transactions' }),
    cards: () => ({ mode: 'card_connect', card_connect: { selection_type: random.pick(['single', 'multiple']) } }),
    /** A card that was not found, which the person types. */
    card: () => ({ mode: 'card_connect', card_connect: { selection_type: 'single' } }),
    async deposits(entity) {
      const number = random.pick(UNVERIFIED)
      const { id } = await must('POST', '/accounts', { holder_id: entity, ach: ach(number) })
      return { mode: 'account_verification', account_verification: { account_id: id } }
    },
  }
  /** Returns the amounts of the deposits to an account, as its statement shows them. */
  async function amountsOf(account) {
    const path = `/accounts/${account}/verification_sessions`
    const { data } = await must('GET', path)
    const { json } = await api.ask('GET', `/simulate${path}/${data[0]?.id}/amounts`)
    return json.amounts ?? [1, 2]
  }

  async function visit() {
    const kind = random.pick(Object.keys(visits))
    const phone = phoneOf[kind] ?? random.pick(phones)
    const entity = await createPerson(must, phone)
    const { mode, ...options } = await visits[kind](entity)
    const { data } = await must('POST', '/opal/token', { mode, entity_id: entity, [mode]: {}, ...options })
    const opened = await redeem(api, random, data.token)
    if (opened.status !== 200) return
    const view = await walk(api, opened.json, { inputOf: createInputs({ ...context, phone, amountsOf }) })
    const name = `${kind}: ${view?.step ?? 'ended'}`
    counts.visited[name] = (counts.visited[name] ?? 0) + 1
    if (view?.step === 'done' && random.chance(0.5)) await manage(entity, phone)
  }

  /** Opens the person's own page, and stops the sharing of one account or of all. */
  async function manage(entity, phone) {
    books.forget(entity)
    const { data } = await must('POST', '/opal/token', { mode: 'manage', entity_id: entity })
    const opened = await redeem(api, random, data.token)
    if (opened.status !== 200) return
    const view = await walk(api, opened.json, { inputOf: createInputs({ ...context, phone, amountsOf }) })
    expect(
      !view?.errors?.some(({ code }) => code !== 'payment_in_progress'),
      `the person's own page shows ${JSON.stringify(view?.errors)}`,
    )
  }

  return async () => {
    counts.visited ??= {}
    while (!isOver()) {
      await visit()
      await api.pause(random.whole(1_000, 8_000))
    }
  }
}
