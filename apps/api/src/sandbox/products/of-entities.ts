/** The sandbox's implementations of all entity products. To add a product, create its file and list it here. */
import { connect } from './connect.js'
import { creditScore } from './credit-score.js'
import { entityAttribute } from './entity-attribute.js'
import { identity } from './identity.js'
import { manualConnect } from './manual-connect.js'
import { vehicle } from './vehicle.js'

export const entityAnswers = [connect, creditScore, identity, entityAttribute, vehicle, manualConnect] as const
