import { ServiceError } from '@causeway/contract/errors'
import type { Step } from '@causeway/contract/session'
import { toAsciiDigits } from '@causeway/contract/values/digits'
import type { Call, Confirmation, StepResult } from '../steps/call.js'
import { registry } from './registry.js'

/** Accepts a step's input. Returns any errors in the input; the page keeps what the person typed. */
export async function takeStep(
  call: Call,
  step: Step,
  input: Record<string, unknown>,
): Promise<StepResult | Confirmation> {
  const { action } = input
  const { back, deny, digits = [], take } = registry[step]
  const handler =
    action === 'back' ? (back?.offered(call.facts) ? back.take : undefined) : action === 'not_me' ? deny : take
  if (!handler)
    throw new ServiceError(
      'INVALID_REQUEST',
      action === 'back'
        ? `You can't go back from the ${step} step.`
        : `The ${step} step accepts no ${action === 'not_me' ? 'not_me' : 'input'}.`,
    )
  return handler(call, { ...input, ...readDigits(input, digits) })
}

/** Returns the fields of an input with digits of every script as ASCII digits. */
function readDigits(input: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap(name => {
      const text = input[name]
      return typeof text === 'string' ? [[name, toAsciiDigits(text)]] : []
    }),
  )
}
