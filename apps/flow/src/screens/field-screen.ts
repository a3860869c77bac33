/** The base class of screens with text fields. The first screen has none, so its bundle omits this module. */
import type { Step } from '@causeway/contract/session'
import { normalizeInputEvents } from '../parts/input-events.js'
import { Screen } from './screen.js'

export abstract class FieldScreen<S extends Step> extends Screen<S> {
  constructor() {
    super()
    normalizeInputEvents(this)
  }
}
