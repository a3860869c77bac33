import { own } from './service-verification.js'

export const trustedProvisioner = own()
