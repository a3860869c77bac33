import { byoKyc } from './byo-kyc/method.js'
import { byoSms } from './byo-sms/method.js'
import { kba } from './kba/method.js'
import type { Method } from './method.js'
import { sms } from './sms/method.js'
import { sna } from './sna/method.js'

/** All methods. To add a method, write its definition and list it here. */
const all: readonly Method[] = [sms, sna, byoSms, kba, byoKyc]

/** All methods, by name. */
export const methodsByName: Readonly<Record<string, Method>> = Object.fromEntries(all.map(each => [each.name, each]))
