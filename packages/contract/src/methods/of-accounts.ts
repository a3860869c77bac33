/**
 * The methods that verify accounts, in the order in which the API reference lists them. To add a method, create its
 * file and add a line here.
 */
import { cardMethods } from './card.js'
import { linkingProviderMethods } from './linking-provider.js'
import type { AccountMethod } from './method.js'
import { microDepositsMethod } from './micro-deposits.js'
import { standardMethod } from './standard.js'
import { vouchedMethods } from './vouched.js'

export const accountMethods: readonly AccountMethod[] = [
  standardMethod,
  ...cardMethods,
  microDepositsMethod,
  ...linkingProviderMethods,
  ...vouchedMethods,
]

/** The request blocks that verify a session, by session type. A team can start sessions of these types. */
export const accountMethodAnswers = Object.fromEntries(
  accountMethods.flatMap(({ name, answer }) => (answer ? [[name, answer]] : [])),
)
