/** Prepares a team: webhooks, and a person with debts. */
import { people } from './inputs.mjs'

const payable = people.find(person => person.debts.length === 4 && person.asks.length === 0)

/** Creates a verified person with debts. @returns `{ entity, accounts }` */
export async function createDebtor(api) {
  const must = async (method, path, body) => {
    const reply = method === 'POST' ? await api.post(path, body) : await api.ask(method, path, body)
    if (reply.status !== 200) throw new Error(`${method} ${path} returned ${reply.status}: ${reply.text}`)
    return reply.json
  }
  const individual = { first_name: 'Kevin', last_name: 'Doyle', phone: payable.phone }
  const { id } = await must('POST', '/entities', { type: 'individual', individual })
  const sessions = `/entities/${id}/verification_sessions`
  const sms = await must('POST', sessions, { type: 'phone', method: 'sms', sms: {} })
  await must('PUT', `${sessions}/${sms.id}`, { type: 'phone', method: 'sms', sms: { sms_code: '123456' } })
  await must('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
  let connect = await must('POST', `/entities/${id}/connect`)
  while (connect.status !== 'completed') {
    await api.pause(100)
    connect = await must('GET', `/entities/${id}/connect/${connect.id}`)
  }
  return { entity: id, accounts: connect.accounts }
}
