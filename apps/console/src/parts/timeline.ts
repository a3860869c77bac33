/** Everything that happened to one thing, newest first, by day, with a switch for each kind. */
import { html, nothing, type TemplateResult } from 'lit'
import { shortId } from '../format.js'
import type { Load } from '../load.js'
import type { Console } from '../page.js'
import type { Kind, Moment, Timeline } from '../shapes.js'
import { wordOf, words } from '../words.js'
import { type IconName, icon } from './icons.js'
import type { Tone } from './marks.js'
import { panel } from './panel.js'

const looks: Readonly<Record<Kind, [IconName, Tone]>> = {
  request: ['list', 'slate'],
  event: ['bolt', 'blue'],
  delivery: ['hook', 'teal'],
  posting: ['scale', 'violet'],
  rail: ['pay', 'pink'],
  person: ['cursor', 'teal'],
  staff: ['eye', 'amber'],
}

const failed = ({ kind, status }: Moment): boolean =>
  kind === 'delivery'
    ? Number.isNaN(Number(status)) || Number(status) >= 300
    : kind === 'request'
      ? Number(status) >= 400
      : kind === 'person'
        ? status !== null
        : kind === 'rail' && status !== null

function sentence({ format }: Console, moment: Moment): unknown {
  const { what, status, amount, actor } = moment
  const { timeline } = words
  const money = amount === null ? nothing : html` ${format.money(amount)}`
  switch (moment.kind) {
    case 'request':
      return html`<code>${what}</code> ${status}`
    case 'event':
      return html`<code>${what}</code>${status === null ? nothing : html` ${String(status).replace('->', '→')}`}`
    case 'delivery':
      return html`${failed(moment) ? timeline.notDelivered : timeline.delivered} <code>${what}</code>`
    case 'posting':
      return html`${words.kinds.posting}: ${wordOf(timeline.posting, what)}${money}`
    case 'rail':
      return html`${wordOf(timeline.rail, what)}${status === null ? nothing : html`: ${wordOf(words.cause, status)}`}`
    case 'person':
      return html`${wordOf(timeline.person, what)}${money}`
    case 'staff':
      return html`<b>${actor}</b> ${wordOf(timeline.staff, what)}${money}`
  }
}

function beside(moment: Moment): unknown {
  if (moment.kind === 'posting') return words.timeline.balanced
  if (moment.kind === 'delivery') return moment.status
  if (moment.kind === 'rail' || moment.kind === 'person') return moment.status
  if (moment.kind === 'request') return html`<a href="/requests/${moment.id}" class="id">${shortId(moment.id)}</a>`
  return html`<span class="id">${shortId(moment.id)}</span>`
}

/** The timeline of a page: what it reads, and which kinds are off. */
export class TimelineView {
  readonly load: Load<Timeline>
  private readonly off = new Set<Kind>()
  private readonly redraw: () => void

  constructor(load: Load<Timeline>, redraw: () => void) {
    this.load = load
    this.redraw = redraw
  }

  read(console: Console, about: string): void {
    this.load.read(about, signal => console.api.get('/timeline', { about }, signal))
  }

  /** @param waits what the thing waits for now, on top */
  draw(console: Console, waits: { text: unknown; since?: string | undefined } | null = null): TemplateResult {
    return panel(console, this.load, {
      title: words.timeline.title,
      shape: 'rows',
      flush: true,
      tools: this.switches(this.load.value?.data ?? []),
      empty: ({ data, missing }) => (data.length === 0 && missing.length === 0 && !waits ? words.timeline.empty : null),
      body: value => this.body(console, value, waits),
    })
  }

  private switches(moments: readonly Moment[]): TemplateResult {
    const present = [...new Set(moments.map(({ kind }) => kind))]
    return html`<div class="switches" role="group" aria-label=${words.timeline.show}>
      ${present.map(
        kind =>
          html`<button class="chip" aria-pressed=${this.off.has(kind) ? 'false' : 'true'} @click=${() => this.toggle(kind)}>
            ${words.kinds[kind]}
          </button>`,
      )}
    </div>`
  }

  private toggle(kind: Kind): void {
    if (!this.off.delete(kind)) this.off.add(kind)
    this.redraw()
  }

  private body(
    console: Console,
    { data, missing }: Timeline,
    waits: { text: unknown; since?: string | undefined } | null,
  ) {
    const { format } = console
    const shown = data.filter(({ kind }) => !this.off.has(kind))
    const days = new Map<string, Moment[]>()
    for (const moment of shown) {
      const day = format.text(moment.at, 'longDay')
      days.set(day, [...(days.get(day) ?? []), moment])
    }
    return html`${
      missing.length === 0
        ? nothing
        : html`<p class="stale" role="status">
            ${icon('alert')}<span>${words.panel.missingKind(missing.map(kind => words.kinds[kind]).join(', '))}</span>
            <button class="text-button" @click=${this.load.refresh}>${words.panel.retry}</button>
          </p>`
    }
      ${
        waits
          ? html`<ol class="timeline">
              <li class="now">
                <span class="when">${words.timeline.now}</span><span class="kind c-warn">${icon('clock')}</span>
                <p>${waits.text}</p>
                <small>${waits.since ? format.span(console.now() - Date.parse(waits.since)) : nothing}</small>
              </li>
            </ol>`
          : nothing
      }
      ${[...days].map(
        ([day, moments]) =>
          html`<h3 class="day">${day}</h3>
            <ol class="timeline">
              ${moments.map(moment => this.row(console, moment))}
            </ol>`,
      )}`
  }

  private row(console: Console, moment: Moment): TemplateResult {
    const [name, tone] = looks[moment.kind]
    return html`<li>
      <span class="when">${console.format.at(moment.at, 'time')}</span>
      <span class="kind c-${failed(moment) ? 'red' : tone}" title=${words.kinds[moment.kind]}>${icon(name)}</span>
      <p>${sentence(console, moment)}</p>
      <small>${beside(moment)}</small>
    </li>`
  }
}
