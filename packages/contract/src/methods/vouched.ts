/**
 * The methods that require no input. The network vouches for the account, and the session is verified as soon as it
 * starts.
 */
import { z } from 'zod'
import { accountMethod } from './method.js'

const nothing = { block: z.object({}), example: { block: {} } }

export const vouchedMethods = [
  accountMethod({ name: 'auto_verify', ...nothing }),
  accountMethod({ name: 'trusted_provisioner', ...nothing }),
] as const

/** The names of these methods. When the network vouches for an account, it returns one of these names. */
export const vouchedTypes = vouchedMethods.map(({ name }) => name)
