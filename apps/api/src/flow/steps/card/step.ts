import { networkMethod } from '@causeway/contract/methods/card'
import { cardFields } from '@causeway/contract/session'
import { missingFields } from '../../../people/accounts/methods/card/method.js'
import { readDetails } from '../../../people/holders/show-entity.js'
import { isEntering } from '../../session/facts.js'
import { attemptsOf, backToSelection, describeProof, proveAccount } from '../account-proof.js'
import { defineStep } from '../define-step.js'
import { enterCard, entriesLeft, showEntry, stopEntering } from './enter-card.js'
import { readCard } from './read-card.js'

const attempts = attemptsOf(networkMethod.name)

const prove = proveAccount({
  name: 'card',
  type: networkMethod.name,
  verified: 'account_verification.card.verified',
  refused: 'card_refused',
  fields: missingFields,
  read: readCard,
})

/** Asks for the details printed on the card. After a mistake, asks only for the incorrect fields. */
export const card = defineStep({
  name: 'card',
  flow: 'account_verification',
  rests: 'accounts',
  digits: cardFields,
  tries: {
    most: attempts.most,
    left: (facts, scope) => (isEntering(facts) ? entriesLeft : attempts.left)(facts, scope),
  },
  async show(facts, scope) {
    if (isEntering(facts)) return showEntry(facts, scope)
    const { data, ...shared } = await describeProof(scope, facts, networkMethod.name)
    const { zip } = readDetails(scope, facts.entity).address
    return {
      ...shared,
      issuers: [],
      fields: missingFields(data),
      zip: facts.progress.typed.includes('address') ? zip : null,
    }
  },
  take: (call, input) => (isEntering(call.facts) ? enterCard(call, input) : prove(call, input)),
  back: {
    offered: facts => isEntering(facts) || backToSelection.offered(facts),
    take: (call, input) => (isEntering(call.facts) ? stopEntering(call) : backToSelection.take(call, input)),
  },
})
