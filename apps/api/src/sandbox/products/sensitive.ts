import { cardOf } from '../tables/card-products.js'
import type { SandboxProductWith } from './answer.js'

export const sensitive: SandboxProductWith<'sensitive'> = {
  supports: { sensitive: () => true },
  answers: world => ({
    async sensitive(call) {
      const debt = await world.debt(call)
      if (!debt) return { status: 'failed', code: 17001 }
      const card = cardOf(debt) ?? { exp_month: null, exp_year: null, billing_zip_code: null }
      return { status: 'completed', number: debt.number, ...card }
    },
  }),
}
