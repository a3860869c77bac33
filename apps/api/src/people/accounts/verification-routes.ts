import { sessions } from '@causeway/contract/endpoints/accounts'
import { callOutside } from '../../network/outside-call.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import { findAccount, lockAccount } from '../holders/store.js'

import { createVerification, showVerification, VERIFICATION } from './verification.js'
import { findVerificationOrThrow } from './verification-of-path.js'
import { answerVerification } from './verification-tries.js'

export const accountVerificationRoutes: Route[] = [
  implement(sessions.createAccountVerificationSession, {
    async handle(ctx, { params, body: { type } }) {
      const account = orNotFound(await lockAccount(ctx, params.acc_id))
      return one(showVerification(ctx, (await createVerification(ctx, account, type)).row))
    },
  }),
  implement(sessions.listAccountVerificationSessions, {
    async handle(ctx, { params }) {
      const account = orNotFound(await findAccount(ctx, params.acc_id))
      const { rows, headers } = await page(ctx, VERIFICATION, from =>
        from('records')
          .where('team_id', '=', ctx.team.id)
          .where('holder_id', '=', account.id)
          .where('product', '=', VERIFICATION),
      )
      return { shape: 'list', body: rows.map(row => showVerification(ctx, row)), headers }
    },
  }),
  implement(sessions.retrieveAccountVerificationSession, {
    handle: async (ctx, { params }) => one(showVerification(ctx, await findVerificationOrThrow(ctx, params))),
  }),
  implement(sessions.updateAccountVerificationSession, {
    async prepare(ctx, { params, body }) {
      const row = await findVerificationOrThrow(ctx, params)
      return callOutside(() => answerVerification(ctx, row.id, body))
    },
    handle: async (ctx, { prepared }) => one(showVerification(ctx, prepared)),
  }),
]
