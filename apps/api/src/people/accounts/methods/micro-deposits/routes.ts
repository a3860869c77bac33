import { depositAmounts, simulatedAmounts } from '@causeway/contract/methods/micro-deposits'
import { implement } from '../../../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../../../platform/http/endpoint/route.js'
import { verificationData } from '../../verification.js'
import { findVerificationOrThrow } from '../../verification-of-path.js'

/** Return the amounts of a session's deposits, in cents, or an empty list if the session has no deposits. */
export const microDepositRoutes: Route[] = [
  depositAmounts.retrieveMicroDepositAmounts,
  simulatedAmounts.simulateMicroDepositAmounts,
].map(endpoint =>
  implement(endpoint, {
    handle: async (ctx, { params }) =>
      one({ amounts: verificationData(ctx, await findVerificationOrThrow(ctx, params))['amounts'] ?? [] }),
  }),
)
