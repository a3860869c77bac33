/** The page for one event: the changes, and the resource as it was at the time of the event. */
import type { Event as CausewayEvent, Timeline } from '@causeway/sdk'
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { factList, jsonBlock } from '../../parts/fact-list.js'
import { loadingPage, pageHeader } from '../../parts/page-header.js'
import { card, staleNote } from '../../parts/panel.js'
import { TimelineView } from '../../parts/timeline.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { resourcePageList } from '../../resource-pages.js'
import { pathOf } from '../../router.js'
import { words } from '../../words.js'
import { changesOf } from './event-answer.js'

const { event: text } = words

@customElement('page-event')
export class EventPage extends Page {
  private readonly event = this.load<CausewayEvent>()
  private readonly timeline = new TimelineView(this.load<Timeline>(), () => this.requestUpdate())

  override get heading(): string {
    return words.events.title
  }

  protected override render(): TemplateResult {
    const { console } = this
    const id = this.place.params['id'] as string
    this.event.read(id, signal => console.api.get(`/events/${id}`, {}, signal))
    const crumb = { text: words.events.title, href: '/events', id }
    const instead = loadingPage(console, this.event, {
      crumb,
      title: shortId(id),
      missing: text.missing(id),
      needs: 'engineer',
    })
    const { value } = this.event
    if (instead || !value) return instead ?? html``
    this.timeline.read(console, value.resource_id)
    const path = pathOf(resourcePageList, value.resource_id)
    const resource = html`<span class="id">${value.resource_id}</span>`
    return html`${pageHeader(console, {
      crumb,
      title: html`<code class="big">${withBreaks(value.type)}</code>`,
      lead: console.format.at(value.created_at),
    })}
      ${staleNote(console, this.event)}
      <div class="two">
        <div class="stack">${this.changes(value)} ${card(text.data, html`${jsonBlock(value.data)}<small class="under">${text.dataNote}</small>`)} ${this.timeline.draw(console)}</div>
        <div class="stack">
          ${card(
            words.payment.details,
            factList(
              [text.resource, path ? html`<a href=${path}>${resource}</a>` : resource],
              [text.kind, value.resource_type],
              [words.request.facts.when, console.format.at(value.created_at)],
            ),
          )}
        </div>
      </div>`
  }

  private changes(event: CausewayEvent): TemplateResult {
    const changes = changesOf(event)
    if (changes.length === 0)
      return card(
        text.changed,
        html`<p class="soft">${event.diff.after === null ? words.person.erasedNote : text.created}</p>`,
      )
    return card(
      text.changed,
      html`<table aria-label=${text.changed}>
        <thead>
          <tr>
            <th scope="col">${text.field}</th>
            <th scope="col">${text.before}</th>
            <th scope="col">${text.after}</th>
          </tr>
        </thead>
        <tbody>
          ${changes.map(
            ({ name, before, after }) =>
              html`<tr>
                <td><code>${name}</code></td>
                <td class="breaks soft"><code>${before}</code></td>
                <td class="breaks"><code>${after}</code></td>
              </tr>`,
          )}
        </tbody>
      </table>`,
      { flush: true },
    )
  }
}
