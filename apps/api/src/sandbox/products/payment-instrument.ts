import { digest, pick } from '../digest.js'
import { cardOf } from '../tables/card-products.js'
import { achRouting } from '../tables/inputs.js'
import type { Product } from '../tables/institutions.js'
import type { SandboxProductWith } from './answer.js'

function digits(length: number, ...parts: string[]): string {
  return Array.from({ length }, (_, index) => pick(10, digest(...parts), index)).join('')
}

const isCard = ({ type }: Product) => type === 'credit_card'

export const paymentInstrument: SandboxProductWith<'instrument'> = {
  supports: {
    'payment_instrument.card': isCard,
    'payment_instrument.network_token': isCard,
    'payment_instrument.inbound_achwire_payment': isCard,
  },
  answers: world => ({
    async instrument({ type, ...call }) {
      const debt = await world.debt(call)
      if (!debt) return { status: 'failed', code: 24001 }
      if (type === 'card')
        return { status: 'completed', chargeable: true, data: { number: debt.number, ...cardOf(debt)! } }
      if (type === 'network_token')
        return { status: 'completed', chargeable: true, data: { token: `4${digits(15, 'token', call.account)}` } }
      const account_number = digits(10, 'inbound', call.request_id)
      return { status: 'completed', chargeable: true, data: { account_number, routing_number: achRouting } }
    },
  }),
}
