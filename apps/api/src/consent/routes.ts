import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import type { AccountRow } from '../accounts/account.js'
import { showAccount } from '../accounts/show.js'
import { audit } from '../audit/store.js'
import type { EntityRow } from '../entities/entity.js'
import { showEntity } from '../entities/show.js'
import { parse } from '../http/body.js'
import { one, type Route } from '../http/route.js'
import { bases, lockHolderOfPath } from '../products/holders.js'
import { withdrawOne } from './account.js'
import { grantEntity, withdrawEntity } from './entity.js'

const input = (reason: string) =>
  z.object({ type: z.enum(['withdraw', 'grant']), reason: z.literal(reason).nullable().optional() })
const ofEntity = input('entity_withdrew_consent')
const ofAccount = input('holder_withdrew_consent')

export const consentRoutes: Route[] = [
  {
    method: 'POST',
    path: `${bases.entity}/consent`,
    async handle(ctx) {
      const before = (await lockHolderOfPath(ctx, 'entity')) as EntityRow
      const { type } = parse(ofEntity, ctx.body())
      const row = type === 'withdraw' ? await withdrawEntity(ctx, before) : await grantEntity(ctx, before)
      await audit(ctx, ctx.actor, `entity.consent.${type}`, row.id)
      return one(showEntity(ctx, row, {}))
    },
  },
  {
    method: 'POST',
    path: `${bases.account}/consent`,
    async handle(ctx) {
      const before = (await lockHolderOfPath(ctx, 'account')) as AccountRow
      const { type } = parse(ofAccount, ctx.body())
      if (type === 'grant')
        throw before.withdrawn_at === null
          ? new ServiceError('ACCOUNT_CONSENT_ALREADY_GRANTED')
          : new ServiceError('INVALID_REQUEST', 'What was known of the account is deleted: connect its holder again.')
      const row = await withdrawOne(ctx, before)
      await audit(ctx, ctx.actor, 'account.consent.withdraw', row.id)
      return one(showAccount(ctx, row, {}))
    },
  },
]
