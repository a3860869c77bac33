/**
 * Exports the elements as classes, with their events and types. Importing this module does not register the elements.
 * To register them, import `./define.js`.
 */
export type {
  Appearance,
  AuthReason,
  Display,
  ExitReason,
  Theme,
} from '@causeway/contract/frame'
export { ConnectElement } from './connect-element.js'
export { FlowElement } from './element.js'
export * from './events.js'
export { OpalBalanceTransferElement } from './opal-balance-transfer-element.js'
export type { Outcome } from './opening.js'
export type { Preload } from './preload.js'
export type { GetToken } from './tokens.js'
