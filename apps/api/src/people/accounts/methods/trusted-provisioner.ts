import { own } from './own.js'

export const trustedProvisioner = own()
