import { own } from './service-verification.js'

export const autoVerify = own()
