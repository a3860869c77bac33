import { FlowElement } from './element.js'

/**
 * `<connect-element>`: a person finds and links their accounts.
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
