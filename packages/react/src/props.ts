/** A component's props: the element's properties, a handler for each of its events, and the standard HTML props. */
import type { FlowElement } from '@causeway/elements'
import type { HTMLAttributes } from 'react'

/** Element properties that are also props of the component, with the same names. */
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
  'preload',
] as const

/** The props for event handlers, each with its event type. */
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

/** Omitting a prop keeps or restores the element's default. */
export type FlowProperties = { [K in Property]?: FlowElement[K] | undefined }

/**
 * Each handler receives the event with its fields. Calling `event.preventDefault()` in `onElementExit` keeps the flow
 * open.
 */
export type FlowHandlers = { [K in Handler]?: ((event: HTMLElementEventMap[(typeof handlers)[K]]) => void) | undefined }

export type FlowProps<E extends FlowElement> = FlowProperties &
  FlowHandlers &
  Omit<HTMLAttributes<E>, Property | Handler>
