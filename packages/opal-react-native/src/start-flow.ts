import { hostedLink } from '@causeway/elements/hosted-link'
import { type OpalError, openingErrors, readOrigin } from '@causeway/elements/opal-events'
import type { FlowReports } from '@causeway/elements/opal-store'
import { type AppFlow, createAppFlow } from './app-flow.js'
import { originOf } from './messages.js'
import type { OpalConfig, OpenOptions } from './types.js'

/** Matches the origins of the local machine, of an Android emulator's host, and of private networks. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|10\.0\.2\.2|192\.168\.\d{1,3}\.\d{1,3})(?::\d{1,5})?$/

/** Returns the link to the token's hosted page, or the error that prevents it. */
function linkFor({ token }: OpenOptions, { env = 'production' }: OpalConfig, origins: OpalConfig['frameOrigin']) {
  const found = readOrigin(origins ?? null, env)
  if ('error' in found) return found
  const origin = found.origin && originOf(found.origin)
  if (!origin || !(origin.startsWith('https:') || LOCAL.test(origin))) return { error: openingErrors.ORIGIN_REQUIRED }
  return hostedLink(origin, token) ?? { error: openingErrors.TOKEN_REQUIRED }
}

/** The values that the provider shares with its hooks. */
interface Shared {
  frameOrigin: OpalConfig['frameOrigin']
  /** Shows a flow's page; null removes it. */
  show: (flow: AppFlow | null) => void
}

/**
 * Starts a flow in a webview. Returns null after a report if it can't.
 * @param provider null if there is no provider
 */
export function startFlow(
  options: OpenOptions,
  config: OpalConfig,
  provider: Shared | null,
  reports: FlowReports,
): AppFlow | null {
  const refuse = (error: OpalError): null => {
    reports.onError(error)
    return null
  }
  if (!provider) return refuse(openingErrors.PROVIDER_REQUIRED)
  const link = linkFor(options, config, config.frameOrigin ?? provider.frameOrigin)
  if (typeof link !== 'string') return refuse(link.error)
  const flow = createAppFlow(link, reports, () => provider.show(null))
  provider.show(flow)
  reports.onOpen()
  return flow
}
