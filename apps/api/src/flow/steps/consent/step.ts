import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { readDetails } from '../../../people/holders/show-entity.js'
import { parse } from '../../../platform/http/request/body.js'
import type { Scope } from '../../../platform/scope.js'
import { showTime } from '../../../platform/show.js'
import { outstandingConsent } from '../../session/agreements.js'
import { askedProducts, consentData } from '../../session/consent-terms.js'
import { insertConsents } from '../../session/consents.js'
import { type Facts, isTyped } from '../../session/facts.js'
import { documentsOf } from '../../session/modes.js'
import { recipientsOf } from '../../session/recipients.js'
import { changeProgress, inTransaction, noErrors, stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'
import { requestProof } from '../phone/request-proof.js'

const schema = z.object({
  documents: z.array(z.object({ id: z.string().max(50), version: z.string().max(20) })).max(20),
  locale: z.string().max(35).default('en'),
  recipients: z
    .object({
      service: z.string().max(200),
      bureau: z.string().max(200).nullable().exactOptional(),
      aggregator: z.string().max(200).nullable().exactOptional(),
      network: z.string().max(200).nullable().exactOptional(),
    })
    .optional(),
  silent: z.boolean().default(false),
})

export const consent = defineStep({
  name: 'consent',
  flow: 'identity_verification',
  changesPerson: true,
  async show(facts, scope) {
    const { documents, products, carried } = facts.outstanding ?? (await outstandingConsent(scope, facts))
    const recipients = recipientsOf(scope.deps, facts.progress)
    return {
      documents,
      shares: consentData(scope.deps, documents, products, recipients),
      carried: carried.map(({ document, version, products, created_at }) => ({
        id: document,
        version,
        shares: consentData(scope.deps, [{ id: document }], products, recipients),
        at: showTime(created_at),
      })),
    }
  },
  async take(call, input) {
    const given = parse(schema, input, 'input')
    // The process that served the page may be configured with other names. An older page doesn't send the names that it
    // shows.
    const recipients = recipientsOf(call.scope.deps, call.facts.progress)
    // mutant: agreed-recipients-were-shown (remove)
    if (given.recipients && !isDeepStrictEqual(given.recipients, recipients)) return stepErrors('documents', 'changed')
    // A page rendered before the token exchange lists every document, so the person may agree to some of them again.
    const accepted: { id: string; version: string }[] = []
    const missing: string[] = []
    for (const document of documentsOf(call.facts.session.mode, recipients)) {
      const isGiven = given.documents.some(({ id, version }) => id === document.id && version === document.version)
      if (isGiven) accepted.push(document)
      else missing.push(document.id)
    }
    const outstanding = missing.length > 0 ? await outstandingConsent(call.scope, call.facts) : null
    const carried = outstanding?.carried.filter(({ document }) => missing.includes(document)) ?? []
    if (carried.length < missing.length) return stepErrors('documents', 'changed')
    const products = outstanding ? outstanding.products : askedProducts(call.scope.deps, call.facts)
    await inTransaction(call, async tx => {
      if (accepted.length > 0) await insertConsents(tx, call.facts, accepted, given.locale, products)
      const { locale } = given
      await changeProgress(call, tx, () => ({
        consented: true,
        carried: carried.map(({ id }) => id),
        locale,
        recipients,
      }))
    })
    return textsAtOnce(call.facts, call.scope) ? requestProof(call, null, given.silent) : noErrors
  },
})

/**
 * Returns true if a code is texted as soon as the person agrees: the documents include `text_messages`, and the
 * customer sent the number. A typed number is confirmed first.
 */
const textsAtOnce = ({ phoneDue, entity, session, progress }: Facts, scope: Scope): boolean =>
  phoneDue &&
  // mutant: typed-number-gets-no-code-on-agreement (remove)
  !isTyped(entity, 'phone') &&
  readDetails(scope, entity).phone !== null &&
  documentsOf(session.mode, recipientsOf(scope.deps, progress)).some(({ id }) => id === 'text_messages')
