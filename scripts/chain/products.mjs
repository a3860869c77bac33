/** Products and subscriptions of people and accounts, and the verification of accounts by number. */
import assert from 'node:assert/strict'
import { until } from './chain.mjs'
import { phones } from './phones.mjs'

/** Finds the account of the lower service that an account of the upper one stands for. */
async function findBelow({ above, below }, id) {
  const { liability } = await above.accounts.retrieve(id)
  for await (const account of below.accounts.list({ type: 'liability' }))
    if (account.liability.fingerprint === liability.fingerprint) return account
  throw new Error(`${id} has no account at the upstream.`)
}
/** Returns the ids of a person's accounts by their names. */
async function accountsOf({ above, ours }, phone) {
  const { entity, accounts } = await ours.debtor(phone)
  const debts = await Promise.all(accounts.map(id => above.accounts.retrieve(id)))
  return { entity, ids: Object.fromEntries(debts.map(({ id, liability }) => [liability.name, id])) }
}
const verifyNumber = async ({ above }, account, number) => {
  const { id } = await above.accounts.verificationSessions.create(account, { type: 'standard' })
  return above.accounts.verificationSessions.update(account, id, { standard: { number } })
}

export const cases = {
  async 'balances, updates, payoffs and attributes are those of the upstream'(chain) {
    const { above, below, record } = chain
    const { ids } = await accountsOf(chain, phones.standard)
    const loan = ids['Ally Auto Loan']
    const card = ids['Citi Double Cash']
    const balance = await record(above.accounts.balances, card)
    assert.deepEqual([balance.status, balance.amount], ['completed', 322_470])
    const update = await record(above.accounts.updates, loan)
    const updated = (await below.accounts.updates.list((await findBelow(chain, loan)).id)).data.at(0)
    assert.deepEqual(update.auto_loan, updated.auto_loan)
    const payoff = await record(above.accounts.payoffs, loan)
    const paidOff = (await below.accounts.payoffs.list((await findBelow(chain, loan)).id)).data.at(0)
    assert.deepEqual(
      [payoff.amount, payoff.term, payoff.per_diem_amount],
      [paidOff.amount, paidOff.term, paidOff.per_diem_amount],
    )
    const { attributes } = await record(above.accounts.attributes, card, {
      requested_attributes: ['utilization', 'usage_pattern'],
    })
    assert.equal(typeof attributes.utilization.value, 'number')
    const failing = await accountsOf(chain, phones.payable)
    const failed = await record(above.accounts.payoffs, failing.ids['Capital One Auto Loan'])
    assert.deepEqual([failed.status, failed.error.code], ['failed', 18001])
  },

  async 'credit scores, vehicles and attributes of a person are those of the upstream'(chain) {
    const { above, below, record, advance } = chain
    const { entity } = await accountsOf(chain, phones.joint)
    const { vehicles } = await record(above.entities.vehicles, entity)
    assert.deepEqual(
      vehicles.map(({ model }) => model),
      ['RAV4'],
    )
    const { attributes } = await record(above.entities.attributes, entity)
    assert.equal(typeof attributes.credit_card_utilization.value, 'number')
    const { id } = await above.entities.creditScores.create(entity)
    const pending = await until(
      async () => {
        for await (const person of below.entities.list())
          if (person.credit_score) return below.entities.creditScores.retrieve(person.id, person.credit_score)
      },
      score => score?.status === 'pending',
      'A request for a score at the upstream',
    )
    const scores = [
      { score: 742, source: 'equifax', model: 'vantage_4', factors: [], created_at: new Date().toISOString() },
    ]
    await below.simulate.entities.creditScore(pending.entity_id, pending.id, { status: 'completed', scores })
    const score = await until(
      async () => {
        await advance('PT1M')
        return above.entities.creditScores.retrieve(entity, id)
      },
      ({ status }) => status === 'completed',
      'A credit score',
    )
    assert.equal(score.scores[0].score, 742)
  },

  async 'a number is verified by the upstream, which then returns it in full'(chain) {
    const { above, record } = chain
    const { ids } = await accountsOf(chain, phones.mixed)
    const card = ids['Capital One Venture']
    assert.deepEqual((await above.accounts.retrieve(card)).products.includes('payment'), false)
    assert.equal((await verifyNumber(chain, card, '4111111111111111')).error.code, 16002)
    const [{ id }] = (await above.accounts.verificationSessions.list(card)).data
    const right = await above.accounts.verificationSessions.update(card, id, {
      standard: { number: '4000000000090342' },
    })
    assert.equal(right.status, 'verified')
    assert.equal((await above.accounts.retrieve(card)).products.includes('payment'), true)
    const sensitive = await record(above.accounts.sensitive, card, { expand: ['credit_card.number'] })
    assert.equal(sensitive.credit_card.number, '4000000000090342')
    const unpayable = await verifyNumber(chain, ids['FedLoan student loan'], '70000012345')
    assert.equal(unpayable.error.code, 16001)
  },

  async 'subscriptions receive what is new at the upstream'(chain) {
    const { above, below, advance } = chain
    const { entity, ids } = await accountsOf(chain, phones.changing)
    const card = ids['Citi Double Cash']
    const { holder_id } = await findBelow(chain, card)
    await above.accounts.subscriptions.create(card, { enroll: 'update' })
    await above.entities.subscriptions.create(entity, { enroll: 'connect' })
    const isEnrolled = async () =>
      'connect' in (await below.entities.subscriptions.list(holder_id)) || advance('PT1H').then(() => false)
    await until(isEnrolled, Boolean, 'A subscription at the upstream')
    await below.simulate.entities.connect(holder_id, { behaviors: ['new_credit_card_account'] })
    const opened = async () =>
      (await above.entities.connect.list(entity)).data.some(each => each.accounts?.length === 1)
    await until(async () => (await opened()) || advance('P1D').then(() => false), Boolean, 'A new account')
    const count = async () => (await above.accounts.updates.list(card)).data.length
    const before = await count()
    await until(async () => (await count()) > before || advance('P1D').then(() => false), Boolean, 'An update')
    const [latest] = (await above.accounts.updates.list(card)).data
    const stored = (await below.accounts.updates.list((await findBelow(chain, card)).id)).data
    assert.ok(stored.some(({ credit_card }) => JSON.stringify(credit_card) === JSON.stringify(latest.credit_card)))
  },

  async 'what the upstream can not do is not offered, with the reason'(chain) {
    const { above, ours } = chain
    const { entity, ids } = await accountsOf(chain, phones.standard)
    const card = ids['Citi Double Cash']
    const rejects = (work, message) =>
      assert.rejects(work, ({ sub_type, message: reason }) => {
        assert.match(sub_type, /^(TEAM_CAPABILITY_RESTRICTED|INVALID_REQUEST)$/)
        assert.match(reason, message)
        return true
      })
    await rejects(above.accounts.cardBrands.create(card), /serves network\/card_brand/)
    await rejects(above.accounts.paymentInstruments.create(card, { type: 'card' }), /serves network\/instrument/)
    await rejects(above.entities.identities.create(entity), /serves network\/identities/)
    await rejects(
      above.simulate.entities.connect(entity, { behaviors: ['new_credit_card_account'] }),
      /serves network\/opened/,
    )
    const { restricted_products } = await above.accounts.retrieve(card)
    assert.ok(restricted_products.includes('card_brand'))
    const sna = { type: 'phone', method: 'sna', sna: {} }
    const { id } = await above.entities.create({ type: 'individual', individual: { phone: phones.payable } })
    const phone = await ours.api('POST', `/entities/${id}/verification_sessions`, sna)
    assert.match(phone.json.error.sub_type, /RESTRICTED|UNAUTHORIZED/)
    for (const type of ['instant', 'pre_auth', 'network']) {
      const reply = await ours.api('POST', `/accounts/${card}/verification_sessions`, { type })
      assert.equal(reply.status, 400, `${type}: ${reply.text}`)
    }
  },
}

/** Cases that wait for slow institutions. */
export const longCases = {
  async 'failures of slow institutions are reported with their codes'(chain) {
    const { above, record } = chain
    const { ids } = await accountsOf(chain, phones.slow)
    const [balance, update, slow] = await Promise.all([
      record(above.accounts.balances, ids['Citi Double Cash']),
      record(above.accounts.updates, ids['Citi Double Cash']),
      record(above.accounts.balances, ids['Discover it']),
    ])
    assert.deepEqual([balance.error?.code, update.error?.code, slow.amount], [20001, 21001, 201_875])
  },
}
