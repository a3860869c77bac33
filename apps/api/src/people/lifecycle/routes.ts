import { accounts } from '@causeway/contract/endpoints/accounts'
import { implement } from '../../platform/http/endpoint/implement.js'
import type { Route } from '../../platform/http/endpoint/route.js'
import { createAccount, prepareAccount } from './create-account.js'

export const newAccountRoutes: Route[] = [
  implement(accounts.createAccount, { prepare: prepareAccount, handle: createAccount }),
]
