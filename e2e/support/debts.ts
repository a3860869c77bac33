/** Creates payments and debts for a lender’s customers through the API. */
import type { Api } from './api.js'
import { phones } from './people.js'

/** Personal values that must not appear on any page. A page may show only a name and a number's last four digits. */
export const personal = {
  email: 'canary.person@example.com',
  dob: '1980-03-11',
  line1: '4711 Canary Street',
  phone: phones.allPayable,
}

/** Creates a person whose phone number and identity are verified. */
async function person(api: Api): Promise<string> {
  const { id } = await api.call<{ id: string }>('POST', '/entities', {
    type: 'individual',
    individual: {
      first_name: 'Corwin',
      last_name: 'Ashe',
      phone: personal.phone,
      email: personal.email,
      dob: personal.dob,
    },
    address: { line1: personal.line1, line2: null, city: 'Austin', state: 'TX', zip: '78701' },
  })
  const sessions = `/entities/${id}/verification_sessions`
  const timestamp = new Date().toISOString()
  await api.call('POST', sessions, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
  await api.call('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
  return id
}

/** Creates a debt that can be paid, and an account to pay it from. */
export async function debt(api: Api): Promise<{ entity: string; pay: (amount: number) => Promise<string> }> {
  const entity = await person(api)
  const source = await api.fundingAccount('123456789')
  const card = await api.call<{ id: string }>('POST', '/accounts', {
    holder_id: entity,
    liability: { mch_id: 'mch_302086', account_number: '5555555555554444' },
  })
  return {
    entity,
    async pay(amount) {
      const body = { amount, source, destination: card.id, description: 'NORTHWIND' }
      return (await api.call<{ id: string }>('POST', '/payments', body)).id
    },
  }
}

/** Moves a payment through the given statuses. */
export async function move(api: Api, payment: string, ...statuses: string[]): Promise<void> {
  for (const status of statuses) {
    const code = status === 'reversal_required' ? { error_code: 10009 } : {}
    await api.call('POST', `/simulate/payments/${payment}`, { status, ...code })
  }
}
