import { z } from 'zod'
import { parse } from '../../../platform/http/body.js'
import { showTime } from '../../../platform/show.js'
import { earlierAgreements } from '../../sessions/agreements.js'
import { modeRules } from '../../sessions/modes.js'
import { fine, keep, keepConsents, write, wrong } from '../call.js'
import { defineStep } from '../define-step.js'

const schema = z.object({
  documents: z.array(z.object({ id: z.string().max(50), version: z.string().max(20) })).max(20),
  locale: z.string().max(35).default('en'),
})

export const consent = defineStep({
  name: 'consent',
  flow: 'identity_verification',
  unproven: true,
  async show(facts, scope) {
    const carried = await earlierAgreements(scope, facts)
    return {
      documents: modeRules[facts.session.mode].documents.filter(
        ({ id }) => !carried.some(({ document }) => document === id),
      ),
      carried: carried.map(({ document, version, created_at }) => ({
        id: document,
        version,
        at: showTime(created_at),
      })),
    }
  },
  async take(call, input) {
    const given = parse(schema, input, 'input')
    // A page rendered before the token exchange lists every document, so the person may agree to some of them again.
    const accepted: { id: string; version: string }[] = []
    const missing: string[] = []
    for (const document of modeRules[call.facts.session.mode].documents) {
      const isGiven = given.documents.some(({ id, version }) => id === document.id && version === document.version)
      if (isGiven) accepted.push(document)
      else missing.push(document.id)
    }
    const earlier = missing.length > 0 ? await earlierAgreements(call.scope, call.facts) : []
    const carried = earlier.filter(({ document }) => missing.includes(document))
    if (carried.length < missing.length) return wrong('documents', 'changed')
    await write(call, async tx => {
      if (accepted.length > 0) await keepConsents(tx, call, accepted, given.locale)
      const { locale } = given
      await keep(call, tx, () => ({ consented: true, carried: carried.map(({ id }) => id), locale }))
    })
    return fine
  },
})
