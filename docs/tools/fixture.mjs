/**
 * Creates the records that the guides' commands refer to: a person with accounts, a token, and a session that can be
 * released.
 */
import { Causeway } from '@causeway/sdk'

/** @returns the environment variables, named as on the pages */
export async function createFixture(baseUrl, apiKey) {
  const causeway = new Causeway({ apiKey, baseUrl })
  const individual = { first_name: 'Ana', last_name: 'Rivera', phone: '+15125550100' }
  const person = await causeway.entities.create({ type: 'individual', individual })
  const { verificationSessions } = causeway.entities
  const timestamp = new Date().toISOString()
  await verificationSessions.create(person.id, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
  await verificationSessions.create(person.id, { type: 'identity', method: 'kba', kba: {} })
  const company = await causeway.entities.create({ type: 'corporation', corporation: { name: 'My Lending' } })
  const ach = { routing: '062103000', number: '123456789', type: 'checking' }
  const source = await causeway.accounts.create({ holder_id: company.id, ach })
  const { accounts } = await causeway.entities.connect.create(person.id, { expand: ['accounts'] })
  const { element_token, session_id } = await causeway.elements.token.create({
    type: 'balance_transfer',
    entity_id: person.id,
    balance_transfer: { loan_amount: 1_000_000 },
  })
  const { id } = accounts.find(({ liability }) => liability?.type === 'credit_card')
  await causeway.simulate.opal.confirm(session_id, { [id]: 100_000 })
  return { ENTITY_ID: person.id, ELEMENT_TOKEN: element_token, SESSION_ID: session_id, SOURCE_ID: source.id }
}
