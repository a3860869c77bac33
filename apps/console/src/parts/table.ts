/** The parts of a list: a native table, filter chips that keep their entire state in the URL, and keyset pagination. */
import { html, nothing, type TemplateResult } from 'lit'
import type { List } from '../api.js'
import type { Console } from '../page.js'
import { address, type Place } from '../router.js'
import { dayOf } from '../time.js'
import { words } from '../words.js'
import { icon } from './icons.js'

export interface Column<T> {
  /** The name under which the URL hides the column. Users can't hide a column without one. */
  name?: string
  head: unknown
  cell: (row: T) => unknown
  /** Right-aligns the column, as is usual for numbers. */
  end?: boolean
  /** Hides the column on phones. */
  wide?: boolean
  /** Gives the column the remaining width and truncates its text. */
  grows?: boolean
  /** Lets the text wrap. */
  breaks?: boolean
  /** The direction in which the list is sorted by this column, and the address that reverses it. */
  sorted?: { direction: 'ascending' | 'descending'; reverse: string }
  /** A narrow first column that is not part of the row's link, such as a checkbox. */
  aside?: boolean
}

interface TableOptions<T> {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  /** Makes each row a link. */
  href?: (row: T) => string
  /** The link's name for screen readers, which must include the text of the first column. */
  name?: ((row: T) => string) | undefined
  selected?: (row: T) => boolean
}

export const table = <T>({ label, columns, rows, href, name, selected }: TableOptions<T>): TemplateResult => {
  const kindOf = ({ end, wide, grows, breaks, aside }: Column<T>) =>
    [aside && 'aside', end && 'end', wide && 'wide', grows && 'grows', breaks && 'breaks'].filter(Boolean).join(' ')
  const linked = columns.findIndex(({ aside }) => !aside)
  return html`<table aria-label=${label}>
    <thead>
      <tr>
        ${columns.map(
          column =>
            html`<th scope="col" class=${kindOf(column)} aria-sort=${column.sorted?.direction ?? nothing}>${headOf(column)}</th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${rows.map(row => {
        const on = selected?.(row) ?? false
        return html`<tr class=${href ? 'linked' : ''} aria-current=${on ? 'true' : nothing}>
          ${columns.map((column, index) => {
            const content = column.cell(row)
            return html`<td class=${kindOf(column)}>
              ${index === linked && href ? html`<a class="row-link" href=${href(row)} aria-label=${name?.(row) ?? nothing}>${content}</a>` : content}
            </td>`
          })}
        </tr>`
      })}
    </tbody>
  </table>`
}

const headOf = <T>({ head, sorted }: Column<T>): unknown =>
  sorted ? html`<a class="sort ${sorted.direction}" href=${sorted.reverse}>${head}${icon('next')}</a>` : head

/** True if the list shows its oldest rows first. */
export const isOldestFirst = ({ query }: Place): boolean => query.get('sort') === OLDEST_FIRST

const OLDEST_FIRST = 'created_at'

/** Sorts a list by time. */
export const orderFilter: Filter = {
  name: 'sort',
  label: words.table.order,
  any: words.table.latestFirst,
  options: [[OLDEST_FIRST, words.table.oldestFirst]],
  single: true,
}

/**
 * Makes the head of the column with the time that sorts the list reverse the list.
 * @param sorted the name of that column
 */
export const sortedColumns = <T>(place: Place, columns: readonly Column<T>[], sorted = 'made'): readonly Column<T>[] =>
  columns.map(column =>
    column.name === sorted
      ? {
          ...column,
          sorted: {
            direction: isOldestFirst(place) ? 'ascending' : 'descending',
            reverse: changedAddress(place, { sort: isOldestFirst(place) ? null : OLDEST_FIRST }),
          },
        }
      : column,
  )

/** Returns the URL of this list with the given changes. Changing a filter returns to the first page. */
const changedAddress = ({ path, query }: Place, changes: Record<string, string | null>): string =>
  address(path, { ...Object.fromEntries(query), cursor: null, ...changes })

/**
 * The link to the next page of a list that the console's own listener serves. Renders nothing on the last page.
 * @param next the response's `next_cursor`
 */
export const nextPage = (
  place: Place,
  next: string | null,
  text = words.table.older,
): TemplateResult | typeof nothing =>
  next === null
    ? nothing
    : html`<div class="pager"><a class="btn small" href=${changedAddress(place, { cursor: next })}>${text}</a></div>`

export function pager(place: Place, { next, previous }: List<unknown>): TemplateResult {
  const [before, after] = isOldestFirst(place)
    ? [words.table.older, words.table.newer]
    : [words.table.newer, words.table.older]
  return html`<nav class="pager" aria-label=${words.table.pages}>
    ${
      previous
        ? html`<a class="btn small" data-key="[" href=${changedAddress(place, { cursor: previous })}>${icon('prev')}${before}</a>`
        : html`<span class="btn small" aria-disabled="true">${icon('prev')}${before}</span>`
    }
    ${
      next
        ? html`<a class="btn small" data-key="]" href=${changedAddress(place, { cursor: next })}>${after}${icon('next')}</a>`
        : html`<span class="btn small" aria-disabled="true">${after}${icon('next')}</span>`
    }
  </nav>`
}

/** The parameters of each filter on a range of days: the first day and the last. */
const dayFilters = { days: ['from', 'to'], ended: ['ended_from', 'ended_to'] } as const
type DayFilter = keyof typeof dayFilters
const dayNames = (filter: { name: string }): readonly [string, string] | undefined =>
  (dayFilters as Record<string, readonly [string, string]>)[filter.name]

/** A filter on one parameter's values or on a range of days. */
export type Filter =
  | {
      name: string
      label: string
      options: readonly (readonly [value: string, text: string])[]
      single?: boolean
      /** The text of the choice of no value. */
      any?: string
    }
  | { name: DayFilter; label: string }
  /** A filter set by a link. The user can remove it here but not change it. */
  | { name: string; label: string; fixed: true }

function textOf(console: Console, filter: Filter, query: URLSearchParams): string | null {
  if ('options' in filter) {
    const values = query.get(filter.name)?.split(',') ?? []
    const texts = filter.options.flatMap(([value, text]) => (values.includes(value) ? text : []))
    return texts.length > 0 ? texts.join(', ').toLowerCase() : null
  }
  if ('fixed' in filter) return query.get(filter.name)
  const [from, to] = namesOf(filter).map(name => query.get(name))
  const day = console.format.bankDate
  if (from && to) return `${day(from)} – ${day(to)}`
  return from ? words.table.since(day(from)) : to ? words.table.until(day(to)) : null
}

const namesOf = (filter: Filter): readonly string[] => dayNames(filter) ?? [filter.name]

interface FilterBarOptions {
  /** The number of rows that match the filters. */
  total?: unknown
  /** The text of the button that opens the form. */
  add?: string
  /** More buttons for the list. */
  tools?: unknown
}

/** Shows the active filters, each with a button to remove it, and a form for setting filters. */
export function filterBar(
  console: Console,
  place: Place,
  filters: readonly Filter[],
  { total = nothing, add = words.table.filter, tools = nothing }: FilterBarOptions = {},
): TemplateResult {
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const data = new FormData(form)
    const values: Record<string, string | null> = {}
    for (const filter of filters)
      for (const name of namesOf(filter))
        if (!('fixed' in filter)) values[name] = data.getAll(name).filter(Boolean).join(',') || null
    const menu = form.closest('details')
    if (menu) menu.open = false
    menu?.querySelector('summary')?.focus()
    console.go(changedAddress(place, values))
  }
  const set = filters.flatMap(filter => {
    const text = textOf(console, filter, place.query)
    return text === null ? [] : [{ filter, text }]
  })
  return html`<div class="chips">
    ${set.map(
      ({ filter, text }) =>
        html`<span class="chip"
          >${filter.label} <b>${text}</b
          ><a
            class="remove"
            aria-label=${words.table.remove(filter.label)}
            href=${changedAddress(place, Object.fromEntries(namesOf(filter).map(name => [name, null])))}
            >${icon('x')}</a
          ></span
        >`,
    )}
    <details class="menu" @keydown=${closeOnEscape}>
      <summary class="chip add" data-key="f">${icon('plus')}${add} <kbd class="wide">F</kbd></summary>
      <form class="sheet filters" @submit=${apply}>
        ${filters.map(filter => fields(filter, place.query, console))}
        <div class="actions"><button class="btn go">${words.table.apply}</button></div>
      </form>
    </details>
    ${set.length > 1 ? html`<a class="quiet" href=${changedAddress(place, Object.fromEntries(filters.flatMap(namesOf).map(name => [name, null])))}>${words.table.clear}</a>` : nothing}
    ${tools} ${total}
  </div>`
}

export const closeOnEscape = (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return
  const menu = event.currentTarget as HTMLDetailsElement
  menu.open = false
  menu.querySelector('summary')?.focus()
}

type Period = keyof typeof words.table.periods
const periods = Object.entries(words.table.periods) as [Period, string][]

/** Returns the first and the last day of a period. @param today such as `2026-03-10` */
function daysOf(period: Period, today: string): string[] {
  const [year, month, date] = today.split('-').map(Number) as [number, number, number]
  const [first, last] = {
    yesterday: [Date.UTC(year, month - 1, date - 1), Date.UTC(year, month - 1, date - 1)],
    thisMonth: [Date.UTC(year, month - 1, 1), Date.UTC(year, month - 1, date)],
    lastMonth: [Date.UTC(year, month - 2, 1), Date.UTC(year, month - 1, 0)],
  }[period] as [number, number]
  return [first, last].map(at => new Date(at).toISOString().slice(0, 10))
}

function fields(filter: Filter, query: URLSearchParams, { format, now }: Console): unknown {
  if ('fixed' in filter) return nothing
  if (!('options' in filter)) {
    const labels = [words.table.from, words.table.to]
    const zone = filter.name === 'ended' ? format.zone : 'UTC'
    const fill = (event: Event, period: Period) => {
      const days = daysOf(period, dayOf(new Date(now()).toISOString(), zone))
      const inputs = (event.target as HTMLElement).closest('fieldset')?.querySelectorAll('input') ?? []
      for (const [index, input] of inputs.entries()) input.value = days[index] ?? ''
    }
    return html`<fieldset>
      <legend>${filter.label}</legend>
      <div class="periods">
        ${periods.map(
          ([period, text]) =>
            html`<button type="button" class="chip" @click=${(event: Event) => fill(event, period)}>${text}</button>`,
        )}
      </div>
      ${namesOf(filter).map(
        (name, index) =>
          html`<label class="field">${labels[index]} <input class="input" type="date" name=${name} .value=${query.get(name) ?? ''} /></label>`,
      )}
    </fieldset>`
  }
  const values = query.get(filter.name)?.split(',') ?? []
  return html`<fieldset>
    <legend>${filter.label}</legend>
    ${
      filter.single
        ? html`<label class="pick"
            ><input type="radio" name=${filter.name} value="" .checked=${values.length === 0} />${filter.any ?? words.table.any}</label
          >`
        : nothing
    }
    ${filter.options.map(
      ([value, text]) =>
        html`<label class="pick"
          ><input
            type=${filter.single ? 'radio' : 'checkbox'}
            name=${filter.name}
            value=${value}
            .checked=${values.includes(value)}
          />${text}</label
        >`,
    )}
  </fieldset>`
}

/** A predefined view of a list: a link that sets the list's filters. */
export interface ListView {
  text: string
  set: Record<string, string | null>
}

/** @param saved the links to the views that the user saved, and the one of them that is shown */
export const viewTabs = (
  place: Place,
  label: string,
  list: readonly ListView[],
  saved: { tabs: unknown; isOn: boolean } = { tabs: nothing, isOn: false },
): TemplateResult => {
  const isOn = (set: Record<string, string | null>) =>
    !saved.isOn && Object.entries(set).every(([name, value]) => (place.query.get(name) ?? null) === value)
  return html`<nav class="tabs" aria-label=${label}>
    ${list.map(
      ({ text, set }) =>
        html`<a href=${changedAddress(place, set)} aria-current=${isOn(set) ? 'true' : nothing}>${text}</a>`,
    )}
    ${saved.tabs}
  </nav>`
}

/** Renders the message for an empty list, whether or not filters are set. */
export const emptyList = (
  place: Place,
  filters: readonly Filter[],
  empty: unknown,
  noMatch = words.table.noMatch,
): unknown =>
  filters.some(filter => namesOf(filter).some(name => place.query.has(name)))
    ? html`<p>${noMatch}</p>
        <a class="btn small" href=${changedAddress(place, Object.fromEntries(filters.flatMap(namesOf).map(name => [name, null])))}
          >${words.table.clear}</a
        >`
    : html`<p>${empty}</p>`
