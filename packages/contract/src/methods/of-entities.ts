/**
 * The methods that verify entities, in the order in which a session lists their blocks. To add a method, create its
 * file and add a line here.
 */
import type { z } from 'zod'
import { sessionMethods } from '../fields/names.js'
import { unreadBlock } from '../free-form.js'
import { byoKycMethod } from './byo-kyc.js'
import { byoSmsMethod } from './byo-sms.js'
import { kbaMethod } from './kba.js'
import type { EntityMethod } from './method.js'
import { smsMethod } from './sms.js'
import { snaMethod } from './sna.js'

export const entityMethods: readonly EntityMethod[] = [smsMethod, byoSmsMethod, snaMethod, byoKycMethod, kbaMethod]

type Block = z.ZodType<Record<string, unknown>>

/**
 * Returns the methods' blocks in a request that starts or verifies a session. Only the block for the request's method
 * is read.
 */
export const requestBlocks = (part: 'start' | 'answer') =>
  Object.fromEntries(
    sessionMethods.map(name => {
      const declared = entityMethods.find(method => method.name === name)
      return [name, (declared?.[part] ?? unreadBlock).optional()]
    }),
  ) as Record<(typeof sessionMethods)[number], z.ZodOptional<Block>>
