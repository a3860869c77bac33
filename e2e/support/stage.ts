/** Types for a scene and for the fixtures that it uses. */
import type { Page } from '@playwright/test'
import type { Api } from './api.js'
import type { Flow } from './flow.js'
import type { HostPage } from './host.js'
import type { Host } from './serve-page.js'
import type { BeginFlow } from './test.js'

interface Stage {
  begin: BeginFlow
  flow: Flow
  hostPage: HostPage
  host: Host
  page: Page
  api: Api
}

type See = (name: string) => Promise<void>
export type Scene = (stage: Stage, see: See) => Promise<void>
