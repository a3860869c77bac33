/**
 * The base class for pages that list one kind of resource, newest first. The table's entire state is in the URL.
 */
import { html, nothing, type TemplateResult } from 'lit'
import { type List, type Query, queryOf } from './api.js'
import { allShown, type Held, holdNewRows } from './new-rows.js'
import { Page } from './page.js'
import { clockNote } from './parts/clock.js'
import { icon } from './parts/icons.js'
import { pageHeader } from './parts/page-header.js'
import { panel } from './parts/panel.js'
import { columnsMenu, queryToSave, type SavedView, savedTabs, saveViewMenu, shownColumns } from './parts/saved-views.js'
import {
  type Column,
  emptyList,
  type Filter,
  filterBar,
  isOldestFirst,
  type ListView,
  orderFilter,
  pager,
  sortedColumns,
  table,
  viewTabs,
} from './parts/table.js'
import { may, type Role } from './shapes.js'
import { words } from './words.js'

export interface ListOptions {
  /** The list's path in the API. */
  path: string
  text: { title: string; empty: string }
  needs: Role
  filters: readonly Filter[]
  views?: readonly ListView[]
  /** A note that the list shows real times. Shown if the sandbox's clock differs from real time. */
  real?: string
  /** Returns query parameters for the list, other than those for dates and pagination. */
  ask?: (query: URLSearchParams) => Query
  /** The fields that the list requests in full. */
  expand?: readonly string[]
  /** True if new rows are announced, and wait for a click. */
  isLive?: true
  /** True if the service counts the list, sorts it by time, and exports it as a CSV file. */
  isCounted?: true
  /**
   * Returns the column with the time that sorts the list, and the value of `sort` that lists its earliest time first. By
   * default, a list is sorted by the time of creation.
   */
  sortedBy?: (query: URLSearchParams) => { column: string; oldestFirst: string } | undefined
  /** Returns false if the service can't count the list with these filters. By default, it can. */
  counts?: (query: URLSearchParams) => boolean
  /** Returns the text for an empty, unfiltered list. Needed only if the text depends on the view. */
  empty?: (query: URLSearchParams) => string
  /** Returns the text for a filtered list without rows, if these filters need a text of their own. */
  noMatch?: (query: URLSearchParams) => string | undefined
}

export abstract class ListPage<T extends { id: string }> extends Page {
  private readonly rows = this.load<List<T>>()
  /** The latest response, and the rows of it that are shown. */
  private latest: List<T> | null = null
  private held: Held<T> | null = null
  /** True if the next response is shown as a whole. */
  private showsNext = false
  private readonly saved = this.load<{ data: SavedView[] }>()
  protected abstract readonly list: ListOptions
  protected abstract get columns(): Column<T>[]
  /** Returns a row's name for screen readers. */
  protected readonly nameOf?: (row: T) => string

  /** Returns the address of a row's page. By default, it is the row's id below this page. */
  protected readonly hrefOf: (row: T) => string = row => `${this.place.path}/${row.id}`

  /** Loads additional data that the rows need. */
  protected listed?(rows: readonly T[]): void

  /** Loads data that the filters need. Returns true once the list can be requested. */
  protected prepare?(): boolean

  /** Renders the buttons beside the title. */
  protected tools?(): unknown

  /** Renders what happened to rows after an action, above the list, which may no longer have those rows. */
  protected outcome?(): unknown

  /** Renders actions on the rows, above them. */
  protected above?(rows: readonly T[]): unknown

  /** The parameters that select and sort the list's rows. */
  private get filter(): Query {
    const { query } = this.place
    const { list } = this
    const isReversed = list.isCounted && isOldestFirst(this.place)
    const sort = isReversed ? (list.sortedBy?.(query)?.oldestFirst ?? query.get('sort')) : null
    return { ...list.ask?.(query), from_date: query.get('from'), to_date: query.get('to'), sort }
  }

  /** Renders the number of rows of the current filter. */
  private get total(): unknown {
    const total = this.rows.value?.total
    return total
      ? html`<span class="soft" role="status">${words.table.total(this.console.format.count(total.count), total)}</span>`
      : nothing
  }

  /** The views of this list that the user saved. */
  private get views(): readonly SavedView[] {
    return this.saved.value?.data.filter(({ list }) => list === this.place.path) ?? []
  }

  /** Renders the buttons that choose the columns, and save or delete a view. */
  private get viewTools(): unknown {
    const { console, place, columns } = this
    const query = queryToSave(place)
    const current = this.views.find(view => view.query === query)
    const remove = (id: string) =>
      void this.act(words.table.viewDeleted, () => console.api.send('DELETE', `/console/views/${id}`))
    const save = (name: string) =>
      void this.act(words.table.viewSaved, () =>
        console.api.send('POST', '/console/views', { list: place.path, name, query }),
      )
    return html`${columnsMenu(place, columns, console.go)}
    ${
      current
        ? html`<button class="chip add" ?disabled=${this.busy} @click=${() => remove(current.id)}>${words.table.deleteView}</button>`
        : query && this.saved.value
          ? saveViewMenu(save)
          : nothing
    }`
  }

  /** Renders the link that downloads the rows of the current filter. */
  private get download(): unknown {
    if (!this.list.isCounted || !may(this.console.session, 'reports')) return nothing
    const href = `/api${this.list.path}/csv${queryOf(this.filter)}`
    return html`<a class="btn small" href=${href} download>${icon('down')}${words.table.download}</a>`
  }

  /** The rows on the page. */
  protected get shown(): readonly T[] {
    return this.held?.shown.data ?? []
  }

  /** Holds back the new rows of a response, unless it is the first one for this URL. */
  private receive(latest: List<T> | null): void {
    if (latest === this.latest) return
    this.latest = latest
    // Only the first page has new rows, if the latest rows come first.
    const isFirst = !this.place.query.has('cursor') && !isOldestFirst(this.place)
    const isHolding = this.list.isLive && isFirst && !this.showsNext
    this.held = latest && (isHolding && this.held ? holdNewRows(this.held.shown, latest) : allShown(latest))
    this.showsNext = false
  }

  private get shownColumns(): readonly Column<T>[] {
    const columns = shownColumns(this.place, this.columns)
    const { isCounted, sortedBy } = this.list
    return isCounted ? sortedColumns(this.place, columns, sortedBy?.(this.place.query)?.column) : columns
  }

  override rowsAdded(lists: readonly string[]): void {
    if (this.list.isLive && lists.includes(this.list.path) && !this.rows.loading) void this.rows.refresh()
  }

  /** Shows the outcome of a user's own action at once. */
  protected override act<T>(done: string | ((value: T) => string), run: () => Promise<T>): Promise<T | undefined> {
    return super.act(done, async () => {
      const value = await run()
      this.showsNext = true
      return value
    })
  }

  /** Renders the button that shows the new rows. */
  private get newRows(): TemplateResult {
    const { count, isCapped } = this.held ?? { count: 0, isCapped: false }
    const text = words.table.newRows(this.console.format.count(count), { count, isCapped })
    return html`<div class="new-rows" role="status">
      ${count > 0 ? html`<button class="btn small" @click=${this.showNew}>${icon('next')}${text}</button>` : nothing}
    </div>`
  }

  private readonly showNew = async (): Promise<void> => {
    this.held = this.latest && allShown(this.latest)
    this.requestUpdate()
    await this.updateComplete
    this.querySelector<HTMLElement>('.row-link')?.focus()
  }

  override get heading(): string {
    return this.list.text.title
  }

  protected override render(): TemplateResult {
    const isReady = this.prepare?.() ?? true
    const { console, place, rows, list, heading: title } = this
    const { query } = place
    const { filters, needs } = list
    this.saved.read('all', signal => console.api.get('/console/views', {}, signal))
    const { hide: _, ...asked } = Object.fromEntries(query)
    if (isReady)
      rows.read(JSON.stringify(asked), signal =>
        console.api.list<T>(
          list.path,
          {
            ...this.filter,
            expand: list.expand,
            count: list.isCounted && (list.counts?.(query) ?? true) ? 'capped' : null,
            page_cursor: query.get('cursor'),
            page_limit: 50,
          },
          signal,
        ),
      )
    this.receive(rows.value)
    if (this.held) this.listed?.(this.shown)
    return html`${pageHeader(console, { title, tools: html`${isReady ? this.download : nothing}${this.tools?.() ?? nothing}` })} ${list.real ? clockNote(console, list.real) : nothing}
    ${
      list.views || this.views.length > 0
        ? viewTabs(place, title, list.views ?? [], savedTabs(place, this.views))
        : nothing
    }
    ${filterBar(console, place, list.isCounted ? [...filters, orderFilter] : filters, { total: this.total, tools: this.viewTools })}
    ${this.outcome?.() ?? nothing}
    ${panel(console, rows, {
      title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs,
      empty: ({ data }) =>
        data.length === 0
          ? emptyList(place, filters, list.empty?.(query) ?? list.text.empty, list.noMatch?.(query))
          : null,
      body: page => html`${this.above?.(this.shown) ?? nothing} ${this.newRows}
        ${table({ label: title, columns: this.shownColumns, rows: this.shown, href: this.hrefOf, name: this.nameOf })}
        ${pager(place, this.held?.shown ?? page)}`,
    })}`
  }
}
