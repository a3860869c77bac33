import { resourceCodes } from '@causeway/contract/errors'
import { standardMethod } from '@causeway/contract/methods/standard'
import { createPortCall } from '../../../../network/ports.js'
import { parse } from '../../../../platform/http/request/body.js'
import { numberAttemptLimit } from '../../attempts.js'
import { declaredAs, method } from '../method.js'

/** Checks the account's full number. */
export const standard = method<{ number: string }>({
  ...declaredAs(standardMethod),
  proves: ['number'],
  maxAttempts: 5,
  attemptLimit: numberAttemptLimit,
  appliesTo: account => account.type === 'liability' && account.reference !== null,
  begin: (_scope, account) => ({ number: account.number !== null }),
  read: block => parse(standardMethod.answer, block, standardMethod.name),
  async check({ scope, account, request_id }, { number }) {
    const { deps } = scope
    const call = { ...createPortCall(scope, request_id), account: account.reference ?? '', number }
    const verdict = await deps.ports.network.verifyNumber(call)
    if (verdict.status === 'verified') return { status: 'verified', data: { number: true }, number }
    return {
      status: verdict.code === resourceCodes.VERIFICATION_TYPE_NOT_SUPPORTED ? 'failed' : 'pending',
      data: { number: false },
      code: verdict.code,
    }
  },
  show: data => ({ number: data['number'] ? 'xxxxxxxxxxxxxxxx' : null }),
})
