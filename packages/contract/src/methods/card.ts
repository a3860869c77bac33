/**
 * The methods that check the details on a card. The methods differ in which details they check, or in how they check
 * them.
 */
import { z } from 'zod'
import { cvv, masked, month, typedNumber, year, zip } from '../account-details.js'
import { accountMethod } from './method.js'

const check = z.enum(['pass', 'fail', 'unavailable']).nullable().describe('Null until checked')
const printed = { number: masked, exp_month: masked, exp_year: masked, exp_check: check }
const whole = {
  ...printed,
  cvv: masked,
  cvv_check: check,
  billing_zip_code: masked,
  billing_zip_code_check: check,
}
const typed = { number: typedNumber, exp_month: month, exp_year: year }
const wholeTyped = { ...typed, cvv, billing_zip_code: zip }

const printedExample = { number: 'xxxxxxxxxxxxxxxx', exp_month: 'xx', exp_year: 'xxxx', exp_check: 'pass' }
const wholeExample = {
  ...printedExample,
  cvv: 'xxx',
  cvv_check: 'pass',
  billing_zip_code: 'xxxxx',
  billing_zip_code_check: 'pass',
}

export const instantMethod = accountMethod({
  name: 'instant',
  block: z.object(printed),
  answer: z.object(typed).partial(),
  example: { answer: { number: '4111111111111111' }, block: printedExample },
})

export const preAuthMethod = accountMethod({
  name: 'pre_auth',
  block: z.object({ ...whole, pre_auth_check: check }),
  answer: z.object(wholeTyped).partial(),
  example: { answer: { cvv: '123' }, block: { ...wholeExample, pre_auth_check: 'pass' } },
})

export const networkMethod = accountMethod({
  name: 'network',
  block: z.object({ ...whole, network_check: check }),
  answer: z.object(wholeTyped).partial(),
  example: { answer: { cvv: '123' }, block: { ...wholeExample, network_check: 'pass' } },
})

export const cardMethods = [instantMethod, preAuthMethod, networkMethod] as const

/** The names of the card methods. Every check that the service sends to the network includes one of these names. */
export const cardChecks = cardMethods.map(({ name }) => name)
