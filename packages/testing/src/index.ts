/** The screens and steps of the journeys, for drivers other than the two included in this package. */

export { findControls } from './dom.js'
export type { ElementEvents, ElementEventType } from './events.js'
export { type Control, codes, type Role, type ScreenName, screens } from './screens.js'
export {
  type Action,
  type BalanceTransferOptions,
  type ConnectOptions,
  type Details,
  journeys,
  steps,
  type Verification,
} from './steps.js'
