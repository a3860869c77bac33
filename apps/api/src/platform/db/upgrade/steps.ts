import type { Engine } from '../store.js'
import { counters } from './0018-counters.js'
import { bearerProofs } from './0019-bearer-proofs.js'
import { tenancy } from './0020-tenancy.js'
import { webhookVersions } from './0021-webhook-versions.js'
import { tokenMakers } from './0022-token-makers.js'
import { growth } from './0023-growth.js'
import { requests } from './0024-requests.js'

/** Returns the statements of a step. `id` is the column type for ids, which both engines sort by byte value. */
export type Step = (given: { id: string; engine: Engine }) => string[]

/** The last step of version 0.1.0. A store without this step is older and can't be upgraded by this version. */
export const FIRST = '0017-reports'

/** The steps from version 0.1.0 to the tables of version 0.2.0, keyed by the names that a store records for them. */
export const steps: Readonly<Record<string, Step>> = {
  '0018-counters': counters,
  '0019-bearer-proofs': bearerProofs,
  '0020-tenancy': tenancy,
  '0021-webhook-versions': webhookVersions,
  '0022-token-makers': tokenMakers,
  '0023-growth': growth,
  '0024-requests': requests,
}
