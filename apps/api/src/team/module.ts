import type { Route } from '../platform/http/endpoint/route.js'
import { encryptionRoutes } from './encryption/routes.js'
import { requestRoutes } from './requests/routes.js'
import { secretRoutes } from './secrets/routes.js'
import { teamRoutes } from './teams/routes.js'

/** The module's endpoints. */
export const routes: readonly Route[] = [...secretRoutes, ...requestRoutes, ...teamRoutes, ...encryptionRoutes]
