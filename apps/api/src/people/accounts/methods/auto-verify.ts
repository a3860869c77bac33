import { own } from './own.js'

export const autoVerify = own()
