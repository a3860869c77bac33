/** Verifying people, and finding their debts. */
import assert from 'node:assert/strict'
import { answer as answerOf } from '../torture/answer.mjs'
import { redeem, rest, submit } from '../torture/person.mjs'
import { until } from './chain.mjs'
import { phones } from './phones.mjs'

const person = (above, phone, individual = {}) =>
  above.entities.create({
    type: 'individual',
    individual: { first_name: 'Kevin', last_name: 'Doyle', phone, ...individual },
  })
const startCode = (above, id) =>
  above.entities.verificationSessions.create(id, { type: 'phone', method: 'sms', sms: {} })
const sendCode = (above, id, session, sms_code) =>
  above.entities.verificationSessions.update(id, session, { type: 'phone', method: 'sms', sms: { sms_code } })
const questions = (above, id) =>
  above.entities.verificationSessions.create(id, { type: 'identity', method: 'kba', kba: {} })
const answer = (above, id, { id: session, kba }, mark) =>
  above.entities.verificationSessions.update(id, session, {
    type: 'identity',
    method: 'kba',
    kba: {
      answers: kba.questions.map(question => ({
        question_id: question.id,
        answer_id: question.answers.find(({ text }) => text.includes(mark)).id,
      })),
    },
  })

export const cases = {
  async 'a code is checked by the upstream, even right after it is requested'({ above }) {
    const { id } = await person(above, phones.payable)
    const { id: session } = await startCode(above, id)
    const wrong = await sendCode(above, id, session, '000000')
    assert.deepEqual([wrong.status, wrong.error.code], ['in_progress', 19002])
    assert.equal((await sendCode(above, id, session, '123456')).status, 'verified')
  },

  async 'a number that the upstream cannot text fails the session'({ above }) {
    const { id } = await person(above, phones.refused)
    const { id: session } = await startCode(above, id)
    const failed = await until(
      () => above.entities.verificationSessions.retrieve(id, session),
      ({ status }) => status === 'failed',
      'The failure of a code',
    )
    assert.equal(failed.error.code, 24001)
  },

  async 'the questions of the upstream are answered in rounds'({ above }) {
    const { id } = await person(above, phones.questions)
    await sendCode(above, id, (await startCode(above, id)).id, '123456')
    const first = await questions(above, id)
    const second = await answer(above, id, first, '(Incorrect)')
    assert.deepEqual([second.status, second.error.code], ['in_progress', 19004])
    const texts = ({ kba }) => kba.questions.map(question => question.text)
    assert.notDeepEqual(texts(second), texts(first))
    assert.equal((await answer(above, id, second, '(Correct)')).status, 'verified')
    assert.equal((await above.entities.retrieve(id)).verification.identity.verified, true)
  },

  async 'a person who has no questions left at the upstream is not verified'({ above }) {
    const begin = async () => {
      const { id } = await person(above, phones.questions, { first_name: 'Luis' })
      await sendCode(above, id, (await startCode(above, id)).id, '123456')
      return id
    }
    const entity = await begin()
    const second = await answer(above, entity, await questions(above, entity), '(Incorrect)')
    assert.equal((await answer(above, entity, second, '(Incorrect)')).status, 'failed')
    // Another entity has attempts left here, but it is the same person at the upstream.
    const other = await begin()
    const refused = await questions(above, other).catch(error => error)
    assert.notEqual(refused.status, 'verified')
    assert.equal((await above.entities.retrieve(other)).verification.identity.verified, false)
  },

  async 'a person whom the upstream does not match cannot be verified'({ above }) {
    const { id } = await person(above, phones.payable, { last_name: 'Nomatch' })
    await sendCode(above, id, (await startCode(above, id)).id, '123456')
    await assert.rejects(questions(above, id), { sub_type: 'MISSING_IDENTITY_MATCH' })
  },

  async 'a person is matched by details that are added later'({ above }) {
    const { id } = await person(above, phones.birthDate)
    assert.equal((await above.entities.retrieve(id)).verification.identity.matched, false)
    await above.entities.update(id, { individual: { dob: '1990-01-01' } })
    assert.equal((await above.entities.retrieve(id)).verification.identity.matched, true)
  },

  async 'a person who corrects a detail is matched by the corrected ones'({ above, ours, upper }) {
    const { id } = await person(above, phones.allDetails)
    const token = await ours.transfer(id)
    const { bearer, view } = (await redeem(upper, token.element_token)).json
    let now = view
    const send = async input => {
      const reply = await submit(upper, bearer, now, input)
      assert.equal(reply.status, 200, reply.text)
      now = reply.json
    }
    while (now.step !== 'details') await send(answerOf(now))
    const address = { line1: '100 Congress Ave', line2: null, city: 'Austin', state: 'TX', zip: '78701' }
    await send({ action: 'submit', dob: '1980-03-11', ...address, ssn_4: '0000' })
    assert.equal(now.step, 'details')
    await send({ action: 'submit', dob: '1980-03-11', ...address, ssn_4: '1234' })
    assert.equal((await rest(upper, bearer)).step, 'selection')
  },

  async 'a person whose phone you verified is accepted by the upstream'({ above }) {
    const { id } = await person(above, phones.small)
    const byo_sms = { timestamp: new Date().toISOString() }
    await above.entities.verificationSessions.create(id, { type: 'phone', method: 'byo_sms', byo_sms })
    assert.equal((await questions(above, id)).status, 'verified')
    const { accounts } = await above.entities.connect.create(id)
    assert.equal(accounts.length, 2)
  },

  async 'the upstream finds the debts, and reports why it can not'({ above, below, ours }) {
    const { entity, accounts } = await ours.debtor(phones.mixed)
    const debts = await Promise.all(accounts.map(id => above.accounts.retrieve(id)))
    const stored = []
    for await (const account of below.accounts.list({ type: 'liability' })) stored.push(account.liability)
    const facts = ({ mch_id, type, sub_type, name, mask, ownership, fingerprint }) =>
      JSON.stringify({ mch_id, type, sub_type, name, mask, ownership, fingerprint })
    const known = new Set(stored.map(facts))
    for (const { liability } of debts) assert.ok(known.has(facts(liability)), `${liability.name} differs`)
    assert.equal(debts.filter(({ products }) => products.includes('payment')).length, 3)
    assert.equal((await above.entities.connect.create(entity)).accounts.length, 0)
    for (const [phone, code] of [
      [phones.thinFile, 26001],
      [phones.frozenFile, 26002],
    ]) {
      const { id } = await person(above, phone)
      await sendCode(above, id, (await startCode(above, id)).id, '123456')
      await questions(above, id)
      const connect = await above.entities.connect.create(id)
      assert.deepEqual([connect.status, connect.error.code], ['failed', code])
    }
  },
}
