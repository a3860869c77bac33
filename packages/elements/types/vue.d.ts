/**
 * Types for the two tags in Vue templates, for `vue-tsc` and editors. Import this module once for its types: `import
 * type {} from '@causeway/elements/vue'`.
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
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue'

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

type Emit = EmitFn<{
  'element-ready': (event: ElementReadyEvent) => void
  'element-open': (event: ElementOpenEvent) => void
  'element-event': (event: ElementEventEvent) => void
  'element-success': (event: ElementSuccessEvent) => void
  'element-error': (event: ElementErrorEvent) => void
  'element-exit': (event: ElementExitEvent) => void
  'allocations-change': (event: AllocationsChangeEvent) => void
  'allocations-confirmed': (event: AllocationsConfirmedEvent) => void
}>

type Tag<E extends FlowElement> = new () => E & {
  /** For templates only. The element itself has no such property. */
  $props: HTMLAttributes & PublicProps & { [K in Property]?: E[K] | undefined }
  /** For templates only. The element itself has no such method. */
  $emit: Emit
}

declare module 'vue' {
  interface GlobalComponents {
    'connect-element': Tag<ConnectElement>
    'opal-balance-transfer-element': Tag<OpalBalanceTransferElement>
  }
}
