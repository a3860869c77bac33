/**
 * Types for the two tags in Svelte markup, for `svelte-check` and editors. Import this module once for its types:
 * `import type {} from '@causeway/elements/svelte'`.
 */
import type {
  AllocationsChangeEvent,
  AllocationsConfirmedEvent,
  ConnectElement,
  ElementErrorEvent,
  ElementEventEvent,
  ElementExitEvent,
  ElementOpenEvent,
  ElementReadyEvent,
  ElementSuccessEvent,
  FlowElement,
  OpalBalanceTransferElement,
} from '@causeway/elements'
import type { HTMLAttributes } from 'svelte/elements'

type Property =
  | 'token'
  | 'getToken'
  | 'theme'
  | 'locale'
  | 'appearance'
  | 'display'
  | 'opened'
  | 'frameOrigin'
  | 'timeout'
  | 'preload'

interface Events {
  'element-ready': ElementReadyEvent
  'element-open': ElementOpenEvent
  'element-event': ElementEventEvent
  'element-success': ElementSuccessEvent
  'element-error': ElementErrorEvent
  'element-exit': ElementExitEvent
  'allocations-change': AllocationsChangeEvent
  'allocations-confirmed': AllocationsConfirmedEvent
}

/** The attribute name for an event: `onelement-success` in Svelte 5 and `on:element-success` in Svelte 4. */
type Handlers = {
  [K in keyof Events as `on${K}` | `on:${K}`]?: ((event: Events[K]) => void) | undefined
}

type Tag<E extends FlowElement> = Omit<HTMLAttributes<E>, Property> &
  Handlers & { [K in Property]?: E[K] | undefined } & { 'frame-origin'?: string | undefined }

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'connect-element': Tag<ConnectElement>
    'opal-balance-transfer-element': Tag<OpalBalanceTransferElement>
  }
}
