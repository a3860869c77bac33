/** Registers both elements. Does nothing on a server, or for an element that is already registered. */
import { ConnectElement } from './connect-element.js'
import { OpalBalanceTransferElement } from './opal-balance-transfer-element.js'

const registry = globalThis.customElements as CustomElementRegistry | undefined

for (const [name, element] of [
  ['connect-element', ConnectElement],
  ['opal-balance-transfer-element', OpalBalanceTransferElement],
] as const) {
  if (registry && !registry.get(name)) registry.define(name, element)
}
