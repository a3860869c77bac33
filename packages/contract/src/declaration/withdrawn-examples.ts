/** An example entity and account after consent was withdrawn. */
import { entity, liability, times } from './examples.js'

export const withdrawnEntity = {
  id: entity.id,
  type: null,
  individual: null,
  verification: null,
  error: {
    type: 'ENTITY_DISABLED',
    code: 12004,
    sub_type: 'ENTITY_CONSENT_WITHDRAWN',
    message: 'Entity was disabled due to consent withdrawal.',
  },
  address: {},
  status: 'disabled',
  metadata: null,
  ...times,
}

export const withdrawnAccount = {
  id: liability.id,
  holder_id: entity.id,
  status: 'disabled',
  consent_status: 'withdrawn',
  type: null,
  liability: null,
  products: [],
  restricted_products: [],
  subscriptions: [],
  available_subscriptions: [],
  restricted_subscriptions: [],
  error: {
    type: 'ACCOUNT_DISABLED',
    code: 11004,
    sub_type: 'ACCOUNT_CONSENT_WITHDRAWN',
    message: 'Account was disabled due to consent withdrawal.',
  },
  metadata: null,
  ...times,
}
