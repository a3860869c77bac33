'use client'

/**
 * The interfaces of Opal and of Elements for React 18 and 19. The flow, its origins and its one-time tokens are those of
 * the elements.
 */
import type { FrameOrigins } from '@causeway/elements/opal-events'
import { createElement, type ReactElement, type ReactNode } from 'react'
import { FlowProvider, useFlow } from './hooks.js'
import { startFlow } from './start-flow.js'
import type { Opal, OpalConfig } from './types.js'

export type { Method, MethodEvent, MethodOptions, MethodPayload } from '@causeway/elements/method'
export type { Environment, FrameOrigins, OpalError, OpalEvent } from '@causeway/elements/opal-events'
export { OpalEventType, OpalMode } from '@causeway/elements/opal-events'
export type { OpalExit } from '@causeway/elements/opal-store'
export type { AppearanceMode, Opal, OpalConfig, OpenOptions } from './types.js'
export { useMethod } from './use-method.js'

export interface OpalProviderProps {
  children?: ReactNode
  /** The origin that serves the frame. Default: `<meta name="causeway-frame-origin">`. */
  frameOrigin?: FrameOrigins
}

/** Holds one flow for the components inside it. Removing the provider closes the flow. */
export const OpalProvider = ({ children, frameOrigin }: OpalProviderProps): ReactElement =>
  createElement(FlowProvider, { shared: { frameOrigin: frameOrigin ?? null } }, children)

/** Returns the functions that open and close the flow of the nearest provider, and its state. */
export const useOpal = (config: OpalConfig = {}): Opal => useFlow(startFlow, config)
