import { problemsOf } from '@causeway/contract/allocations'
import { z } from 'zod'
import { parse } from '../../../platform/http/body.js'
import { agreedIn, keepConsents } from '../../session/consents.js'
import { chosen, payable } from '../../session/facts.js'
import { authorization } from '../../session/modes.js'
import { allocationErrors } from '../allocation-errors.js'
import { fine, save } from '../call.js'
import { defineStep } from '../define-step.js'
import { showAccounts } from '../show-accounts.js'

export const review = defineStep({
  name: 'review',
  flow: 'balance_transfer',
  show: facts => ({
    terms: facts.config.terms!,
    accounts: showAccounts(facts, chosen(facts)),
    allocations: facts.progress.draft ?? {},
    authorization,
  }),
  async take(call, input) {
    const { facts } = call
    const locale = parse(z.string().max(35).optional(), input['locale'], 'locale')
    const amounts = facts.progress.draft ?? {}
    const found = problemsOf(amounts, chosen(facts).map(payable), facts.config.terms!)
    if (found.length > 0) {
      await save(call, () => ({ reviewing: false }))
      return allocationErrors(found)
    }
    await keepConsents(call.held!.tx, facts, [authorization], locale ?? agreedIn(facts))
    return { confirmed: amounts }
  },
  back: {
    offered: () => true,
    async take(call) {
      await save(call, () => ({ reviewing: false }))
      return fine
    },
  },
})
