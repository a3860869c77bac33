import { byoSmsMethod } from '@causeway/contract/methods/byo-sms'
import { parse } from '../../../../platform/http/request/body.js'
import { showTime } from '../../../../platform/show.js'
import { readProofTime } from '../../proof-time.js'
import { declaredAs, type Method, requirePhone } from '../method.js'

/** The customer's own phone verification. */
export const byoSms: Method = {
  ...declaredAs(byoSmsMethod),
  maxAttempts: 0,
  async initialState(scope, entity, block) {
    requirePhone(scope, entity)
    const { timestamp } = parse(byoSmsMethod.start, block, byoSmsMethod.name)
    const provedAt = readProofTime(timestamp, 'byo_sms.timestamp', scope.now)
    return { status: 'verified', data: { timestamp: showTime(Date.parse(timestamp)) }, provedAt }
  },
  show: data => ({ timestamp: data.timestamp ?? null }),
}
