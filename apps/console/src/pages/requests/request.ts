/**
 * The page for one request: why it was rejected, its redacted bodies, the affected resources, and the request as a curl
 * command.
 */
import type { RequestDetail, Timeline } from '@causeway/sdk'
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { actorMark } from '../../parts/actor.js'
import { answerPanel } from '../../parts/answer.js'
import { clockNote } from '../../parts/clock.js'
import { copyButton } from '../../parts/copy.js'
import { factList, jsonBlock } from '../../parts/fact-list.js'
import { httpPill } from '../../parts/marks.js'
import { loadingPage, pageHeader } from '../../parts/page-header.js'
import { card, staleNote } from '../../parts/panel.js'
import { TimelineView } from '../../parts/timeline.js'
import { resourcePageList } from '../../resource-pages.js'
import { pathOf } from '../../router.js'
import { wordOf, words } from '../../words.js'
import { answerOf, curlOf, isRejected } from './request-answer.js'

const { request: text } = words

@customElement('page-request')
export class RequestPage extends Page {
  private readonly request = this.load<RequestDetail>()
  private readonly timeline = new TimelineView(this.load<Timeline>(), () => this.requestUpdate())

  override get heading(): string {
    return words.requests.title
  }

  private get requestId(): string {
    return this.place.params['id'] as string
  }

  protected override render(): TemplateResult {
    const { console, requestId: id, request } = this
    request.read(id, signal => console.api.get(`/requests/${id}`, {}, signal))
    this.timeline.read(console, id)
    const crumb = { text: text.crumb, href: '/requests', id }
    const instead = loadingPage(console, request, {
      crumb,
      title: shortId(id),
      missing: text.missing(id),
      needs: 'engineer',
    })
    const { value } = request
    if (instead || !value) return instead ?? html``
    return html`${pageHeader(console, {
      crumb,
      title: html`<code class="big">${value.method} ${value.route}</code>`,
      mark: httpPill(value.status),
      tools: copyButton(console, curlOf(value), words.copy.curl),
      lead: console.format.at(value.created_at),
    })}
      ${clockNote(console, words.clocks.requests)} ${staleNote(console, request)}
      <div class="two">
        <div class="stack">
          ${answerPanel(console, answerOf(console.format, value))} ${body(text.body, value.request)}
          ${body(text.answer, value.response)} ${this.timeline.draw(console, { empty: isRejected(value) ? text.rejected : text.noEffects })}
        </div>
        <div class="stack">${this.details(value)} ${this.touched(value)}</div>
      </div>`
  }

  private details(value: RequestDetail): TemplateResult {
    const { format } = this.console
    const { facts: name } = text
    const code = (content: string | null) => (content ? html`<span class="id">${content}</span>` : null)
    return card(
      text.details,
      factList(
        [name.id, code(value.id)],
        [name.when, format.at(value.created_at)],
        [name.ms, format.ms(value.ms)],
        [name.version, value.version],
        [name.key, html`${actorMark(this.console, value.actor)}`],
        [name.source, wordOf(text.sources, value.source)],
        [name.idempotency, wordOf(text.idempotency, value.idempotency)],
      ),
    )
  }

  private touched({ resource_ids }: RequestDetail): TemplateResult {
    return card(
      text.caused,
      resource_ids.length === 0
        ? html`<p class="soft">${text.causedEmpty}</p>`
        : html`<ul class="ids">
            ${resource_ids.map(id => {
              const path = pathOf(resourcePageList, id)
              return html`<li>${path ? html`<a class="id" href=${path}>${id}</a>` : html`<span class="id">${id}</span>`}</li>`
            })}
          </ul>`,
    )
  }
}

const body = (title: string, value: unknown): TemplateResult =>
  card(
    title,
    value === null || value === undefined
      ? html`<p class="soft">${text.noBody} ${text.expired}</p>`
      : html`${jsonBlock(value)}<small class="under">${text.redacted}</small>`,
  )
