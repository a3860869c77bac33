import { autoVerify } from './auto-verify.js'
import { instant } from './instant.js'
import type { Method } from './method.js'
import { microDeposits } from './micro-deposits.js'
import { mx } from './mx.js'
import { network } from './network.js'
import { plaid } from './plaid.js'
import { preAuth } from './pre-auth.js'
import { standard } from './standard.js'
import { teller } from './teller.js'
import { trustedProvisioner } from './trusted-provisioner.js'

/** All verification methods by session type. */
export const methods: Readonly<Record<string, Method>> = {
  micro_deposits: microDeposits,
  plaid,
  mx,
  teller,
  auto_verify: autoVerify,
  trusted_provisioner: trustedProvisioner,
  standard,
  instant,
  pre_auth: preAuth,
  network,
}
