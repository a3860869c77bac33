import { sessions } from '@causeway/contract/endpoints/accounts'
import { simulations } from '@causeway/contract/endpoints/simulate'
import { ServiceError } from '@causeway/contract/errors'
import { implement } from '../../platform/http/implement.js'
import { page } from '../../platform/http/paging.js'
import { one, type Route } from '../../platform/http/route.js'
import type { Ctx } from '../../platform/scope.js'
import { accountById } from '../products/holders.js'
import type { RecordRow } from '../products/product.js'
import { findRecord } from '../products/store.js'
import { asked } from './outside-call.js'
import { lockAccount } from './store.js'
import {
  answerVerification,
  beginVerification,
  showVerification,
  VERIFICATION,
  verificationData,
} from './verification.js'

async function owned(ctx: Ctx, { acc_id, id }: { acc_id: string; id: string }): Promise<RecordRow> {
  const account = await accountById(ctx, acc_id)
  const row = await findRecord(ctx, VERIFICATION, id, account.id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

export const accountVerificationRoutes: Route[] = [
  implement(sessions.createAccountVerificationSession, {
    async handle(ctx, { params, body: { type } }) {
      const account = await lockAccount(ctx, params.acc_id)
      if (!account) throw new ServiceError('NOT_FOUND')
      return one(showVerification(ctx, (await beginVerification(ctx, account, type)).row))
    },
  }),
  implement(sessions.listAccountVerificationSessions, {
    async handle(ctx, { params }) {
      const account = await accountById(ctx, params.acc_id)
      const { rows, headers } = await page(ctx, VERIFICATION, from =>
        from('records').where('holder_id', '=', account.id).where('product', '=', VERIFICATION),
      )
      return { shape: 'list', body: rows.map(row => showVerification(ctx, row)), headers }
    },
  }),
  implement(sessions.retrieveAccountVerificationSession, {
    handle: async (ctx, { params }) => one(showVerification(ctx, await owned(ctx, params))),
  }),
  implement(sessions.updateAccountVerificationSession, {
    async prepare(ctx, { params, body }) {
      const row = await owned(ctx, params)
      return asked(() => answerVerification(ctx, row.id, body))
    },
    handle: async (ctx, { prepared }) => one(showVerification(ctx, prepared)),
  }),
  // The amounts of a session without deposits are none.
  ...[sessions.retrieveMicroDepositAmounts, simulations.simulateMicroDepositAmounts].map(endpoint =>
    implement(endpoint, {
      handle: async (ctx, { params }) =>
        one({ amounts: verificationData(ctx, await owned(ctx, params))['amounts'] ?? [] }),
    }),
  ),
]
