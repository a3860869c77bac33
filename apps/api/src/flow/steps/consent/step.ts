import { z } from 'zod'
import { parse } from '../../../platform/http/body.js'
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
  show: ({ session }) => ({ documents: modeRules[session.mode].documents }),
  async take(call, input) {
    const given = parse(schema, input, 'input')
    const asked = modeRules[call.facts.session.mode].documents
    const missed = asked.find(
      document =>
        !given.documents.some(accepted => accepted.id === document.id && accepted.version === document.version),
    )
    if (missed) return wrong('documents', 'changed')
    await write(call, async tx => {
      await keepConsents(tx, call, asked, given.locale)
      await keep(call, tx, () => ({ consented: true }))
    })
    return fine
  },
})
