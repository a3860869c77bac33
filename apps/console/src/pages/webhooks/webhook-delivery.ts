/** Shows one delivery: its attempts with the receiver's responses, and the request that was sent. */
import type { DeliveryAttempt, DeliveryRequest, Webhook } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import type { List } from '../../api.js'
import { shortId } from '../../format.js'
import type { Load } from '../../load.js'
import type { Console } from '../../page.js'
import { isClockAhead } from '../../parts/clock.js'
import { copyButton } from '../../parts/copy.js'
import { factList, jsonBlock } from '../../parts/fact-list.js'
import { panel } from '../../parts/panel.js'
import { resourcePageList } from '../../resource-pages.js'
import { pathOf } from '../../router.js'
import { wordOf, words } from '../../words.js'
import { readSubject } from './webhook-answer.js'

const { webhook: text } = words

const link = (id: string): TemplateResult => {
  const path = pathOf(resourcePageList, id)
  return path ? html`<a class="id" href=${path}>${id}</a>` : html`<span class="id">${id}</span>`
}

/**
 * Lists the attempts, newest first, each with an excerpt of the response.
 * @param store turns storing responses on or off; null unless the user is an admin
 */
export const attemptsPanel = (
  console: Console,
  load: Load<List<DeliveryAttempt>>,
  { webhook, delivery, store }: { webhook: Webhook; delivery: string; store: ((on: boolean) => void) | null },
): TemplateResult =>
  panel(console, load, {
    title: text.this,
    flush: true,
    needs: 'engineer',
    note: html`<span class="id">${shortId(delivery)}</span>`,
    empty: ({ data }) => (data.length === 0 ? text.noAttempts : null),
    body: ({ data }) =>
      html`<table aria-label=${text.attempts}>
          <tbody>
            ${data.map(
              ({ number, at, ms, response_status, failure, excerpt }) =>
                html`<tr>
                    <td class="soft">${number}</td>
                    <td>${console.format.at(at, 'time')}</td>
                    <td>
                      <code class=${failure || (response_status ?? 500) >= 300 ? 'bad-text' : ''}
                        >${failure ? wordOf(text.failure, failure) : response_status}</code
                      >
                    </td>
                    <td class="end soft">${console.format.ms(ms)}</td>
                  </tr>
                  ${
                    excerpt
                      ? html`<tr class="reply">
                          <td></td>
                          <td colspan="3" class="breaks"><pre class="excerpt" aria-label=${text.answered}>${excerpt}</pre></td>
                        </tr>`
                      : nothing
                  }`,
            )}
          </tbody>
        </table>
        <div class="card-body parts soft">
          <p>${webhook.store_responses ? text.stored : text.notStored}</p>
          ${
            store
              ? html`<button class="btn small" @click=${() => store(!webhook.store_responses)}>
                  ${webhook.store_responses ? text.stopStoring : text.store}
                </button>`
              : webhook.store_responses
                ? nothing
                : html`<p>${text.askToStore}</p>`
          }
        </div>`,
  })

/** Shows the request with its headers and its body, in which the server has masked personal data. */
export const requestPanel = (console: Console, load: Load<DeliveryRequest>): TemplateResult =>
  panel(console, load, {
    title: text.request,
    needs: 'engineer',
    tools: load.value ? copyButton(console, load.value.body, text.copyBody, 'small') : nothing,
    body: ({ url, headers, body, sent_at, signed, erased }) => {
      const { resource, event } = readSubject(body)
      const { format, session } = console
      const sentAt = sent_at === null ? text.notSent : format.at(sent_at)
      return html`<div class="parts">
        ${factList(resource ? [text.resource, link(resource)] : null, event ? [text.event, link(event)] : null, [
          text.sentAt,
          isClockAhead(session) && sent_at !== null ? html`${sentAt} ${words.clocks.real}` : sentAt,
        ])}
        <pre class="json" tabindex="0" aria-label=${text.headers}>POST ${url}
${Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
        ${signed || sent_at === null ? nothing : html`<p class="soft">${text.unsigned}</p>`}
        ${jsonBlock(parsed(body))}
        <small>${erased ? text.erased : text.masked}</small>
      </div>`
    },
  })

/** Returns the body parsed as JSON, or unchanged if it isn't valid JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
