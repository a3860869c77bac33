import { FlowElement } from './element.js'

/**
 * `<connect-element>`: lets a person find and link their accounts.
 *
 * @customElement
 * @tagname connect-element
 */
export class ConnectElement extends FlowElement {
  static override readonly mode = 'connect'
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-element': ConnectElement
  }
}
