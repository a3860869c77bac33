/** The page that lists events. */
import type { Event as CausewayEvent } from '@causeway/sdk'
import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortId } from '../../format.js'
import { type ListOptions, ListPage } from '../../list-page.js'
import type { Column, Filter } from '../../parts/table.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { words } from '../../words.js'
import { changesOf } from './event-answer.js'

const { events } = words

const filters: readonly Filter[] = [
  { name: 'type', label: events.columns.type, fixed: true },
  { name: 'resource_id', label: events.columns.resource, fixed: true },
  { name: 'days', label: words.table.made },
]

/** Predefined views for the event types that support staff and engineers search for most often. */
const fixedViews = [
  { text: events.views.all, set: { kind: null } },
  { text: events.views.payments, set: { kind: 'payment' } },
  { text: events.views.people, set: { kind: 'entity' } },
  { text: events.views.accounts, set: { kind: 'account' } },
]

@customElement('page-events')
export class EventsPage extends ListPage<CausewayEvent> {
  protected readonly list: ListOptions = {
    path: '/events',
    isLive: true,
    isCounted: true,
    text: events,
    needs: 'engineer',
    filters,
    views: fixedViews,
    ask: query => ({
      type: query.get('type'),
      resource_type: query.get('kind'),
      resource_id: query.get('resource_id'),
    }),
  }

  protected get columns(): Column<CausewayEvent>[] {
    const { format } = this.console
    const { columns } = events
    return [
      {
        head: columns.type,
        cell: row =>
          html`<code>${withBreaks(row.type)}</code><small class="narrow">${format.at(row.created_at)}</small>`,
      },
      {
        name: 'resource',
        head: columns.resource,
        cell: row => html`<span class="id">${shortId(row.resource_id)}</span>`,
      },
      {
        name: 'changed',
        head: columns.changed,
        wide: true,
        grows: true,
        cell: row =>
          changesOf(row)
            .map(({ name }) => name)
            .join(', ') || (row.diff.before === null ? events.created : ''),
      },
      { name: 'when', head: columns.when, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      { name: 'id', head: columns.id, wide: true, cell: row => html`<span class="id">${shortId(row.id)}</span>` },
    ]
  }
}
