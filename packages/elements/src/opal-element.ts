/** Registers the element of the packages that offer Opal's interface, where the token alone determines the mode. */
import { FlowElement } from './element.js'

class OpalElement extends FlowElement {
  static override readonly mode = null
}

const registry = globalThis.customElements as CustomElementRegistry | undefined

if (registry && !registry.get('opal-element')) registry.define('opal-element', OpalElement)
