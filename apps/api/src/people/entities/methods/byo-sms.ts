import { byoSmsProof } from '@causeway/contract/endpoints/entities'
import { parse } from '../../../platform/http/body.js'
import { showTime } from '../../../platform/show.js'
import { type Method, needPhone } from './method.js'

/** The customer's own phone check. */
export const byoSms: Method = {
  type: 'phone',
  tries: 0,
  async begin(scope, entity, block) {
    needPhone(scope, entity)
    const { timestamp } = parse(byoSmsProof, block, 'byo_sms')
    return { status: 'verified', data: { timestamp: showTime(Date.parse(timestamp)) } }
  },
  show: data => ({ timestamp: data.timestamp ?? null }),
}
