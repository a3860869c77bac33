import { byoKyc } from './byo-kyc.js'
import { byoSms } from './byo-sms.js'
import { kba } from './kba.js'
import type { Method } from './method.js'
import { sms } from './sms.js'
import { sna } from './sna.js'

/** All methods, by name. */
export const methodsByName: Readonly<Record<string, Method>> = {
  sms,
  sna,
  byo_sms: byoSms,
  kba,
  byo_kyc: byoKyc,
}
