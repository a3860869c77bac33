/**
 * Types for the two tags in React's JSX, for pages that use `<connect-element>` rather than a component from
 * `@causeway/react`. Import this module once for its types: `import type {} from '@causeway/elements/jsx'`. React 19
 * sets properties and listens to events. React 18 sets only attributes on custom elements, so use a ref to set tokens
 * and handlers.
 */
import type { Appearance, Display } from '@causeway/contract/frame'
import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { ConnectElement } from './connect-element.js'
import type { FlowElement } from './element.js'
import type {
  AllocationsChangeEvent,
  AllocationsConfirmedEvent,
  ElementErrorEvent,
  ElementEventEvent,
  ElementExitEvent,
  ElementOpenEvent,
  ElementReadyEvent,
  ElementSuccessEvent,
} from './events.js'
import type { OpalBalanceTransferElement } from './opal-balance-transfer-element.js'
import type { Preload } from './preload.js'

type Property = 'token' | 'getToken' | 'theme' | 'locale' | 'appearance' | 'display' | 'opened' | 'timeout' | 'preload'

/** Event props for React 19. For a custom element, the name of each prop is `on` plus the event's name. */
interface Handlers {
  'onelement-ready'?: ((event: ElementReadyEvent) => void) | undefined
  'onelement-open'?: ((event: ElementOpenEvent) => void) | undefined
  'onelement-event'?: ((event: ElementEventEvent) => void) | undefined
  'onelement-success'?: ((event: ElementSuccessEvent) => void) | undefined
  'onelement-error'?: ((event: ElementErrorEvent) => void) | undefined
  'onelement-exit'?: ((event: ElementExitEvent) => void) | undefined
  'onallocations-change'?: ((event: AllocationsChangeEvent) => void) | undefined
  'onallocations-confirmed'?: ((event: AllocationsConfirmedEvent) => void) | undefined
}

type Html<E extends FlowElement> = DetailedHTMLProps<HTMLAttributes<E>, E> & { 'frame-origin'?: string | undefined }

type Tag19<E extends FlowElement> = Omit<Html<E>, Property> &
  Handlers & { [K in Property]?: FlowElement[K] | undefined }

type Tag18<E extends FlowElement> = Omit<Html<E>, Property | 'className'> & {
  class?: string | undefined
  locale?: string | undefined
  appearance?: Appearance | undefined
  display?: Display | undefined
  /**
   * Either an empty string or absent, because `opened={false}` would render `opened="false"`, which opens the element.
   */
  opened?: '' | undefined
  timeout?: number | undefined
  preload?: Preload | undefined
}

/** Detects the React version by checking for `use`, which React 19 added. */
type Tag<E extends FlowElement> = typeof import('react') extends { use: unknown } ? Tag19<E> : Tag18<E>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'connect-element': Tag<ConnectElement>
      'opal-balance-transfer-element': Tag<OpalBalanceTransferElement>
    }
  }
}
