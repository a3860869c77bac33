import { depositAmounts } from '@causeway/contract/methods/micro-deposits'
import { implement } from '../../../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../../../platform/http/endpoint/route.js'
import type { Ctx } from '../../../../platform/scope.js'
import { verificationData } from '../../verification.js'
import { findVerificationOrThrow } from '../../verification-of-path.js'

/** Returns the amounts of a session's deposits, in cents, or an empty list if the session has no deposits. */
export const showAmounts = async (ctx: Ctx, path: { acc_id: string; id: string }) =>
  one({ amounts: verificationData(ctx, await findVerificationOrThrow(ctx, path))['amounts'] ?? [] })

export const microDepositRoutes: Route[] = [
  implement(depositAmounts.retrieveMicroDepositAmounts, {
    handle: (ctx, { params }) => showAmounts(ctx, params),
  }),
]
