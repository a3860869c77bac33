/** Opens flows for one provider. */
import { launch } from '@causeway/elements/launch'
import '@causeway/elements/opal-element'
import { type FrameOrigins, openingErrors } from '@causeway/elements/opal-events'
import type { FlowReports, OpenFlow } from '@causeway/elements/opal-store'
import type { CSSProperties } from 'react'
import type { OpalConfig, OpenOptions } from './types.js'

/** Returns the container of an inline flow; null for a modal. */
function containerOf({ parentElement }: OpalConfig): Element | null {
  if (!parentElement) return null
  const found = typeof parentElement === 'string' ? document.querySelector(parentElement) : parentElement
  if (!found) console.warn('useOpal: parentElement matches no element, so the flow opens in a modal.')
  return found
}

/** Properties whose numbers are not pixels. */
const UNITLESS = /^(?:zIndex|opacity|order|lineHeight|fontWeight|flex(?:Grow|Shrink)?)$/

/** Returns styles as text, as React does: a number is a length in pixels. */
const styleOf = (styles: CSSProperties): Record<string, string> =>
  Object.fromEntries(
    Object.entries(styles).map(([name, value]) => [
      name,
      typeof value === 'number' && !UNITLESS.test(name) ? `${value}px` : String(value),
    ]),
  )

/**
 * Starts a flow in an element. Returns null after a report if it can't.
 * @param provider null if there is no provider
 */
export function startFlow(
  { token, appearance }: OpenOptions,
  config: OpalConfig,
  provider: { frameOrigin: FrameOrigins | null } | null,
  reports: FlowReports,
): OpenFlow | null {
  if (!provider) {
    reports.onError(openingErrors.PROVIDER_REQUIRED)
    return null
  }
  const { env = 'production', frameOrigin, portalStyles, iframeStyles } = config
  if (iframeStyles) console.warn('useOpal: use opal-element::part(frame) in CSS instead of iframeStyles.')
  const launched = launch({
    tag: 'opal-element',
    token,
    env,
    frameOrigin: frameOrigin ?? provider.frameOrigin,
    parent: containerOf(config),
    appearance: appearance ?? null,
    ...reports,
    // The stream reports success with `opal.session.completed`.
    onSuccess: () => undefined,
  })
  if (launched && portalStyles) Object.assign(launched.element.style, styleOf(portalStyles))
  return launched
}
