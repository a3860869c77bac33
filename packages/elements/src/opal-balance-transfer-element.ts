import { FlowElement } from './element.js'

/**
 * `<opal-balance-transfer-element>`: lets a person choose which balances a loan pays off.
 *
 * @customElement
 * @tagname opal-balance-transfer-element
 */
export class OpalBalanceTransferElement extends FlowElement {
  static override readonly mode = 'balance_transfer'
}

declare global {
  interface HTMLElementTagNameMap {
    'opal-balance-transfer-element': OpalBalanceTransferElement
  }
}
