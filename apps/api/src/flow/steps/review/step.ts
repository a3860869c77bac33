import { problemsOf } from '@causeway/contract/allocations'
import { z } from 'zod'
import { parse } from '../../../platform/http/request/body.js'
import { consentLocale, insertConsents } from '../../session/consents.js'
import { chosenAccounts, toDebt } from '../../session/facts.js'
import { paymentsConsent } from '../../session/modes.js'
import { allocationErrors } from '../allocation-errors.js'
import { noErrors, saveChange } from '../call.js'
import { defineStep } from '../define-step.js'
import { showAccounts } from '../show-accounts.js'

export const review = defineStep({
  name: 'review',
  flow: 'balance_transfer',
  show: facts => ({
    terms: facts.config.terms!,
    accounts: showAccounts(facts, chosenAccounts(facts)),
    allocations: facts.progress.draft ?? {},
    authorization: paymentsConsent,
  }),
  async take(call, input) {
    const { facts } = call
    const locale = parse(z.string().max(35).optional(), input['locale'], 'locale')
    const amounts = facts.progress.draft ?? {}
    const problems = problemsOf(amounts, chosenAccounts(facts).map(toDebt), facts.config.terms!)
    if (problems.length > 0) {
      await saveChange(call, () => ({ reviewing: false }))
      return allocationErrors(problems)
    }
    await insertConsents(call.held!.tx, facts, [paymentsConsent], locale ?? consentLocale(facts), ['payment'])
    return { confirmed: amounts }
  },
  back: {
    offered: () => true,
    async take(call) {
      await saveChange(call, () => ({ reviewing: false }))
      return noErrors
    },
  },
})
