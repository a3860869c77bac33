import type { Environment, FrameOrigins } from '@causeway/elements/opal-events'
import type { OpalCallbacks } from '@causeway/elements/opal-store'
import type { OpalHandle } from '@causeway/opal-react/hooks'
import type { ReactNode } from 'react'

export interface OpalProviderProps {
  children?: ReactNode
  /** The origin that serves the hosted pages, such as `https://connect.example.com`. */
  frameOrigin?: FrameOrigins
}

/** The options of `useOpal`. They may be new objects and functions on every render: the latest ones are used. */
export interface OpalConfig extends OpalCallbacks {
  /** Default: `production`. */
  env?: Environment
  /** The origin that serves the hosted pages. Default: that of the provider. */
  frameOrigin?: FrameOrigins
}

export interface OpenOptions {
  /** A one-time token that your server created with `redirect_url`, such as `otkn_…`. */
  token: string
}

export type Opal = OpalHandle<OpenOptions>
