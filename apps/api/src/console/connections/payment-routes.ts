import { paymentProvider as declared } from '@causeway/contract/endpoints/console-connections'
import { ServiceError } from '@causeway/contract/errors'
import { findPayment } from '../../money/payments/store.js'
import { reading } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type ConsoleRoute, implementForConsole } from '../console-endpoints.js'
import { findObjects } from './store.js'

/** For all of a team's users. Contains the ids that the provider's support asks for. */
export const paymentProviderRoutes: ConsoleRoute[] = [
  implementForConsole(declared, async ({ deps, user, params }) => {
    const scope = reading(deps, user.team)
    if (!(await findPayment(scope, params.pmt_id))) throw new ServiceError('NOT_FOUND')
    const titles = new Map(deps.connections().map(({ name, title }) => [name, title] as const))
    const rows = await findObjects(scope.db, user.team.id, params.pmt_id)
    return {
      objects: rows.flatMap(({ provider, kind, resource_id, external_id, created_at }) =>
        kind === 'payment' || kind === 'reversal'
          ? [
              {
                ...{ provider, title: titles.get(provider) ?? provider, kind, resource_id, external_id },
                created_at: showTime(created_at),
              },
            ]
          : [],
      ),
    }
  }),
]
