/** The cells of a delivery in a list. */
import type { Delivery } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { shortId } from '../../format.js'
import type { Console } from '../../page.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { wordOf, words } from '../../words.js'

const { webhook: text } = words

export const deliveryCells = ({ format, now }: Console) => {
  const answer = ({ response_status, failure, status }: Delivery): TemplateResult =>
    html`<code class=${status === 'delivered' ? '' : 'bad-text'}
      >${failure ? wordOf(text.failure, failure) : (response_status ?? '')}</code
    >`
  const next = ({ next_attempt_at }: Delivery): string =>
    next_attempt_at ? text.in(format.span(Date.parse(next_attempt_at) - now())) : ''
  return {
    next,
    /** The response or, without one, the reason. Adds the number of attempts if there were several. */
    answer: (row: Delivery): TemplateResult =>
      html`${answer(row)}${row.attempts > 1 ? html`<small>${words.timeline.attempt(row.attempts)}</small>` : nothing}`,
    /**
     * The event and its resource, followed on phones by the response.
     * @param last the time of the last attempt
     */
    event: (row: Delivery, last: unknown): TemplateResult =>
      html`<code>${withBreaks(row.type)}</code> <span class="id">${shortId(row.resource_id)}</span><small class="narrow">${answer(row)}${row.attempted_at ? html` · ${last}` : nothing}${row.next_attempt_at ? html` · ${text.columns.next} ${next(row)}` : nothing}</small>`,
    name: (row: Delivery): string => `${wordOf(words.status, row.status)}: ${row.type} ${row.resource_id}`,
  }
}

/** The filter on the status of deliveries. */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'canceled'].map(
  each => [each, wordOf(words.status, each)] as const,
)
