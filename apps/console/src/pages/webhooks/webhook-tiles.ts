/** Shows a webhook's numbers: its outcomes, response times and pause. */
import type { Delivery, WebhookStats } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import type { List } from '../../api.js'
import type { Console } from '../../page.js'
import { words } from '../../words.js'
import { responseTimesOf } from './webhook-answer.js'

const { webhook: text } = words

const tile = (name: string, content: unknown, kind = '') =>
  html`<div>
    <dt>${name}</dt>
    <dd class=${kind}>${content}</dd>
  </div>`

/**
 * @param stats null until they are loaded
 * @param pending the pending deliveries with their number; null until they are loaded
 */
export function tiles(
  { format, now }: Console,
  stats: WebhookStats | null,
  pending: List<Delivery> | null,
): TemplateResult | typeof nothing {
  if (!stats) return nothing
  const { delivered, failed, canceled } = stats.outcomes
  const { p50, p95 } = responseTimesOf(stats)
  const all = delivered + failed
  const { count, isCapped } = pending?.total ?? { count: null, isCapped: false }
  const paused = stats.paused_until ? Date.parse(stats.paused_until) - now() : 0
  return html`<dl class="tiles">
    ${tile(
      text.tiles.delivered,
      html`${format.percent(delivered, all)} ${all > 0 ? html`<small>${text.tiles.of(format.count(delivered), format.count(all))}</small>` : nothing}`,
    )}
    ${tile(text.tiles.p50, format.ms(p50))}
    ${tile(text.tiles.p95, format.ms(p95))} ${tile(text.tiles.pending, count === null ? '—' : `${format.count(count)}${isCapped ? '+' : ''}`)}
    ${tile(text.tiles.failed, format.count(failed), failed > 0 ? 'bad-text' : '')}
    ${canceled > 0 ? tile(text.tiles.canceled, format.count(canceled), 'warn-text') : nothing}
    ${
      paused > 0
        ? tile(
            text.tiles.paused,
            html`${format.span(paused)}
              <small>${stats.paused_by === 'endpoint' ? text.tiles.byEndpoint : text.tiles.byFailures}</small>`,
            'warn-text',
          )
        : nothing
    }
  </dl>`
}
