/** What a component takes: the element's properties, a handler for each of its events, and what any HTML element takes. */
import type { FlowElement } from '@causeway/elements'
import type { HTMLAttributes } from 'react'

/** Properties of an element that are props of its component, under the same name. */
export const properties = [
  'token',
  'getToken',
  'theme',
  'locale',
  'appearance',
  'display',
  'opened',
  'frameOrigin',
  'timeout',
] as const

/** Handlers, and the event that each is called for. */
export const handlers = {
  onElementReady: 'element-ready',
  onElementOpen: 'element-open',
  onElementEvent: 'element-event',
  onElementSuccess: 'element-success',
  onElementError: 'element-error',
  onElementExit: 'element-exit',
  onAllocationsChange: 'allocations-change',
  onAllocationsConfirmed: 'allocations-confirmed',
} as const satisfies Record<string, keyof HTMLElementEventMap>

export type Property = (typeof properties)[number]
type Handler = keyof typeof handlers

/** A prop that is absent leaves, or gives back, the element's own default. */
export type FlowProperties = { [K in Property]?: FlowElement[K] | undefined }

/** Each hears the event itself, with its fields; `event.preventDefault()` in `onElementExit` keeps the flow open. */
export type FlowHandlers = { [K in Handler]?: ((event: HTMLElementEventMap[(typeof handlers)[K]]) => void) | undefined }

export type FlowProps<E extends FlowElement> = FlowProperties &
  FlowHandlers &
  Omit<HTMLAttributes<E>, Property | Handler>
