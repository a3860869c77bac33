import { ServiceError } from '@causeway/contract/errors'
import type { Step, StepError } from '@causeway/contract/session'
import { number, selection } from './accounts.js'
import { type Call, fine, type Handler, save } from './call.js'
import { card } from './card.js'
import { deposits } from './deposits.js'
import { consent, details, questions } from './identity.js'
import { notMe } from './not-me.js'
import { code, phone } from './silent-auth.js'
import { allocation, blocked, done, review } from './transfer.js'

const choose: Handler = async call => {
  await save(call, () => ({ choosing: true }))
  return fine
}

/** Going back, by the step that is left. What was entered is kept. */
const backs: Partial<Record<Step, Handler>> = {
  code: call => code(call, { action: 'change' }),
  number: choose,
  card: choose,
  async allocation(call) {
    await save(call, () => ({ choosing: true, reviewing: false }))
    return fine
  },
  async review(call) {
    await save(call, () => ({ reviewing: false }))
    return fine
  },
}

const handlers: Partial<Record<Step, Handler>> = {
  consent,
  phone,
  code,
  details,
  questions,
  selection,
  number,
  deposits,
  card,
  allocation,
  review,
  done,
  blocked,
}

/** Saying that it is somebody else, by the step that shows what the customer said of them. */
const denials: Partial<Record<Step, Handler>> = { phone: notMe, code: notMe }

/** Takes one input of a step. What is wrong with it comes back as errors; nothing of it is lost. */
export async function takeStep(call: Call, step: Step, input: Record<string, unknown>): Promise<StepError[]> {
  const { action } = input
  const handler = (action === 'back' ? backs : action === 'not_me' ? denials : handlers)[step]
  if (!handler)
    throw new ServiceError(
      'INVALID_REQUEST',
      action === 'back'
        ? `There is no way back from ${step}.`
        : `${step} takes no ${action === 'not_me' ? 'not_me' : 'input'}.`,
    )
  return handler(call, input)
}
