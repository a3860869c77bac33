import { resourceCodes } from '@causeway/contract/errors'
import { smsMethod } from '@causeway/contract/methods/sms'
import type { z } from 'zod'
import { parse } from '../../../../platform/http/request/body.js'
import { showTime } from '../../../../platform/show.js'
import { call, declaredAs, type Method, needPhone } from '../method.js'
import { countSend } from './codes.js'

/** Verifies a phone with a code sent by text message. */
export const sms: Method<z.infer<typeof smsMethod.answer>> = {
  ...declaredAs(smsMethod),
  tries: 5,
  async begin(scope, entity, _block, { address }) {
    const phone = needPhone(scope, entity)
    await countSend(scope, entity, phone, address)
    return { status: 'in_progress', data: {} }
  },
  ask: {
    waits: false,
    async run(scope, entity, row) {
      const sent = await scope.deps.ports.identity.sendCode({ ...call(scope, row), phone: needPhone(scope, entity) })
      return sent.status === 'sent'
        ? { status: 'in_progress', data: {} }
        : { status: 'failed', data: {}, code: resourceCodes.PRODUCT_EXECUTION_FAILED }
    },
  },
  read: block => parse(smsMethod.answer, block, smsMethod.name),
  async check(scope, entity, row, { sms_code }, last) {
    const { status } = await scope.deps.ports.identity.checkCode({
      ...call(scope, row),
      phone: needPhone(scope, entity),
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
