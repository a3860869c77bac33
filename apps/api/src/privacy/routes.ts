import { accounts } from '@causeway/contract/endpoints/accounts'
import { entities } from '@causeway/contract/endpoints/entities'
import { ServiceError } from '@causeway/contract/errors'
import { showAccount } from '../people/holders/show-account.js'
import { showEntity } from '../people/holders/show-entity.js'
import { lockAccount, lockEntity } from '../people/holders/store.js'
import { audit } from '../platform/audit/store.js'
import { implement } from '../platform/http/endpoint/implement.js'
import { one, type Route } from '../platform/http/endpoint/route.js'
import { orNotFound } from '../platform/rows.js'
import { withdrawAccountConsent } from './account.js'
import { grantEntity, withdrawEntity } from './entity.js'

export const consentRoutes: Route[] = [
  implement(entities.changeEntityConsent, {
    async handle(ctx, { params, body: { type } }) {
      const before = orNotFound(await lockEntity(ctx, params.ent_id))
      const row = type === 'withdraw' ? await withdrawEntity(ctx, before) : await grantEntity(ctx, before)
      await audit(ctx, ctx.actor, `entity.consent.${type}`, row.id)
      return one(showEntity(ctx, row, {}))
    },
  }),
  implement(accounts.changeAccountConsent, {
    async handle(ctx, { params, body: { type } }) {
      const account = orNotFound(await lockAccount(ctx, params.acc_id))
      if (type === 'grant')
        throw account.withdrawn_at === null
          ? new ServiceError('ACCOUNT_CONSENT_ALREADY_GRANTED')
          : new ServiceError(
              'INVALID_REQUEST',
              "The account's data was deleted when consent was withdrawn. Connect its holder again.",
            )
      const row = await withdrawAccountConsent(ctx, account)
      await audit(ctx, ctx.actor, 'account.consent.withdraw', row.id)
      return one(showAccount(ctx, row, {}))
    },
  }),
]
