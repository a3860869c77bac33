import { resourceCodes } from '@causeway/contract/errors'
import { smsMethod } from '@causeway/contract/methods/sms'
import type { z } from 'zod'
import { parse } from '../../../../platform/http/request/body.js'
import { showTime } from '../../../../platform/show.js'
import { call, declaredAs, type Method, requirePhone } from '../method.js'
import { countCode } from './codes.js'

/** Verifies a phone with a code sent by text message. */
export const sms: Method<z.infer<typeof smsMethod.answer>> = {
  ...declaredAs(smsMethod),
  maxAttempts: 5,
  async initialState(scope, entity, _block, { address }) {
    const phone = requirePhone(scope, entity)
    await countCode(scope, entity, phone, address)
    return { status: 'in_progress', data: {} }
  },
  startCall: {
    waits: false,
    async run(scope, entity, row) {
      const sent = await scope.deps.ports.identity.sendCode({ ...call(scope, row), phone: requirePhone(scope, entity) })
      return sent.status === 'sent'
        ? { status: 'in_progress', data: {} }
        : { status: 'failed', data: {}, code: resourceCodes.PRODUCT_EXECUTION_FAILED }
    },
  },
  read: block => parse(smsMethod.answer, block, smsMethod.name),
  async check(scope, entity, row, { sms_code }, last) {
    const { status } = await scope.deps.ports.identity.checkCode({
      ...call(scope, row),
      phone: requirePhone(scope, entity),
      code: sms_code,
    })
    if (status === 'correct') return { status: 'verified', data: { timestamp: showTime(scope.now) } }
    if (status === 'expired') return { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_EXPIRED }
    return {
      status: last ? 'failed' : 'in_progress',
      data: {},
      code: resourceCodes.VERIFICATION_SESSION_FAILED_INCORRECT_SMS_CODE,
    }
  },
  show: data => (data.timestamp ? { timestamp: data.timestamp } : {}),
}
