/** One request: why it was refused, its redacted bodies, what it touched, the same as curl. */
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortId } from '../format.js'
import { Page } from '../page.js'
import { type Answer, answerPanel } from '../parts/answer.js'
import { copyButton } from '../parts/copy.js'
import { facts, json } from '../parts/facts.js'
import { head, whole } from '../parts/head.js'
import { httpPill } from '../parts/marks.js'
import { card, staleNote } from '../parts/panel.js'
import { TimelineView } from '../parts/timeline.js'
import { pathOf } from '../router.js'
import { routes } from '../routes.js'
import type { ApiRequestDetail, Timeline } from '../shapes.js'
import { wordOf, words } from '../words.js'

const { request: text } = words

/** The message of an error body; the log keeps it, because it holds nothing personal. */
function messageOf(response: unknown): string {
  const { error } = (response ?? {}) as { error?: { message?: unknown } }
  return typeof error?.message === 'string' ? error.message : ''
}

/** Returns the path with the ids that it named, as far as the log knows them in order. */
export function filledRoute({ route, resource_ids }: Pick<ApiRequestDetail, 'route' | 'resource_ids'>): string {
  const ids = [...resource_ids]
  return route.replace(/:\w+|\{\w+\}/g, name => ids.shift() ?? name)
}

/** The same request for a terminal, with the key left out. */
export function curlOf(
  request: Pick<ApiRequestDetail, 'method' | 'route' | 'resource_ids' | 'version' | 'request'>,
): string {
  const lines = [
    `curl -X ${request.method} "$CAUSEWAY_URL${filledRoute(request)}"`,
    `-H "Authorization: Bearer $CAUSEWAY_KEY"`,
  ]
  if (request.version) lines.push(`-H "Service-Version: ${request.version}"`)
  if (request.request !== null && request.request !== undefined) {
    lines.push('-H "Content-Type: application/json"')
    lines.push(`-d '${JSON.stringify(request.request).replaceAll("'", "'\\''")}'`)
  }
  return lines.join(' \\\n  ')
}

export function answerOf(format: { ms: (ms: number) => string }, value: ApiRequestDetail): Answer {
  const { status, sub_type, ms, idempotency } = value
  const known = text[idempotency as 'replayed' | 'mismatch']
  const note: Answer['points'] =
    idempotency === 'replayed' || idempotency === 'mismatch' ? [[text.facts.idempotency, known]] : []
  if (status < 400) return { tone: 'good', title: text.okTitle(format.ms(ms)), points: note }
  const broken = status >= 500
  return {
    tone: broken ? 'bad' : 'warn',
    title: broken ? text.brokenTitle(status) : text.failedTitle(status),
    points: [
      [words.answer.why, messageOf(value.response), sub_type ?? ''],
      ...note,
      [words.answer.todo, broken ? text.docsBroken : text.docs],
    ],
  }
}

@customElement('page-request')
export class RequestPage extends Page {
  private readonly request = this.load<ApiRequestDetail>()
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
    const instead = whole(console, request, { crumb, title: shortId(id), missing: text.missing(id), needs: 'engineer' })
    const { value } = request
    if (instead || !value) return instead ?? html``
    return html`${head(console, {
      crumb,
      title: html`<code class="big">${value.method} ${value.route}</code>`,
      mark: httpPill(value.status),
      tools: copyButton(console, curlOf(value), words.copy.curl),
      lead: console.format.at(value.created_at),
    })}
      ${staleNote(console, request)}
      <div class="two">
        <div class="stack">
          ${answerPanel(console, answerOf(console.format, value))} ${body(text.body, value.request)}
          ${body(text.answer, value.response)} ${this.timeline.draw(console)}
        </div>
        <div class="stack">${this.details(value)} ${this.touched(value)}</div>
      </div>`
  }

  private details(value: ApiRequestDetail): TemplateResult {
    const { format } = this.console
    const { facts: name } = text
    const code = (content: string | null) => (content ? html`<span class="id">${content}</span>` : null)
    return card(
      text.details,
      facts(
        [name.id, code(value.id)],
        [name.when, format.at(value.created_at)],
        [name.ms, format.ms(value.ms)],
        [name.version, value.version],
        [name.key, code(value.actor)],
        [name.source, wordOf(text.sources, value.source)],
        [name.idempotency, wordOf(text.idempotency, value.idempotency)],
      ),
    )
  }

  private touched({ resource_ids }: ApiRequestDetail): TemplateResult {
    return card(
      text.caused,
      resource_ids.length === 0
        ? html`<p class="soft">${text.causedEmpty}</p>`
        : html`<ul class="ids">
            ${resource_ids.map(id => {
              const path = pathOf(routes, id)
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
      : html`${json(value)}<small class="under">${text.redacted}</small>`,
  )
