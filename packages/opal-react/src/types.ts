import type { Environment, FrameOrigins } from '@causeway/elements/opal-events'
import type { OpalCallbacks } from '@causeway/elements/opal-store'
import type { CSSProperties } from 'react'
import type { OpalHandle } from './hooks.js'

export type AppearanceMode = 'light' | 'dark' | 'system'

/** The options of `useOpal`. They may be new objects and functions on every render: the latest ones are used. */
export interface OpalConfig extends OpalCallbacks {
  /** Default: `production`. */
  env?: Environment
  /** The origin that serves the frame. Default: that of the provider, or `<meta name="causeway-frame-origin">`. */
  frameOrigin?: FrameOrigins
  /** The container of the flow, or its selector. Without it, the flow opens in a modal. */
  parentElement?: Element | string | null
  /** Has no effect: a flow inside `parentElement` is always as tall as its content. */
  embedded?: boolean
  /** Styles of the element around a flow inside `parentElement`. */
  portalStyles?: CSSProperties
  /** Has no effect: style the frame with `opal-element::part(frame)`. */
  iframeStyles?: CSSProperties
}

export interface OpenOptions {
  /** A one-time token of your server, such as `otkn_…`. */
  token: string
  /** Default: the token's, or the team's setting. */
  appearance?: AppearanceMode
}

export type Opal = OpalHandle<OpenOptions>
