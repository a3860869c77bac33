/** A resource's timeline, newest first and grouped by day, with a toggle for each kind of entry. */
import type { Moment, Timeline } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { shortId } from '../format.js'
import type { Load } from '../load.js'
import type { Console } from '../page.js'
import { wordOf, words } from '../words.js'
import { actorMark } from './actor.js'
import { changeList } from './changes.js'
import { clockNote, isClockAhead } from './clock.js'
import { type IconName, icon } from './icons.js'
import type { Tone } from './marks.js'
import { panel } from './panel.js'
import { withBreaks } from './with-breaks.js'

const kindMarks: Readonly<Record<Moment['kind'], [IconName, Tone]>> = {
  request: ['list', 'slate'],
  event: ['bolt', 'blue'],
  delivery: ['hook', 'teal'],
  posting: ['scale', 'violet'],
  person: ['cursor', 'teal'],
  staff: ['eye', 'amber'],
}

/** True for entries that show real times even in the sandbox. */
const isReal = ({ kind }: Moment): boolean => kind === 'request' || kind === 'staff'

const ATTEMPT_FAILED = 'opal.attempt.failed'

const isFailure = ({ kind, status, what }: Moment): boolean =>
  kind === 'delivery'
    ? status === 'failed'
    : kind === 'person'
      ? what === ATTEMPT_FAILED
      : kind === 'request' && Number(status) >= 400

/** A kind of entry that can be hidden. Requests that only read are a kind of their own. */
type Kind = Moment['kind'] | 'read'
const kindOf = ({ kind, what }: Moment): Kind => (kind === 'request' && what.startsWith('GET ') ? 'read' : kind)

/** The content of one row: a single moment, or all postings of one payment leg. */
interface Entry extends Moment {
  lines: readonly Moment[]
}

/** True if another entry implies this one. For example, the start of a step implies the end of the previous step. */
const isImplied = ({ kind, what }: Moment): boolean =>
  kind === 'person' && (what.endsWith('.step.completed') || what.endsWith('.flow.started'))

/** Combines each payment leg's postings, which sum to zero, into one entry, and omits implied entries. */
function entriesOf(moments: readonly Moment[]): Entry[] {
  const entries: Entry[] = []
  for (const moment of moments) {
    if (isImplied(moment)) continue
    const last = entries.at(-1)
    const joins =
      last?.kind === 'posting' && moment.kind === 'posting' && last.at === moment.at && last.what === moment.what
    if (joins && last.refs[0] === moment.refs[0]) last.lines = [...last.lines, moment]
    else entries.push({ ...moment, lines: [moment] })
  }
  return entries
}

type Names = Readonly<Record<string, string>>

const nameOf = (id: string | undefined, names: Names): string => (id === undefined ? '' : (names[id] ?? capital(id)))
const capital = (word: string) => (word.includes('_') ? shortId(word) : word.charAt(0).toUpperCase() + word.slice(1))

function sentence(console: Console, entry: Entry, names: Names): unknown {
  const { format } = console
  const { what, status, actor, lines } = entry
  const { timeline } = words
  switch (entry.kind) {
    case 'request':
      return html`<code>${what}</code> ${status}`
    case 'event':
      return html`<code>${withBreaks(what)}</code>${changeList(entry.changes ?? [])}`
    case 'delivery':
      return html`${wordOf(words.status, status)} <code>${withBreaks(what)}</code>${entry.host ? html` ${timeline.toHost(entry.host)}` : nothing}${
        entry.finished_at
          ? html`, ${format.at(entry.finished_at, isSameDay(format, entry) ? 'time' : 'moment')}`
          : nothing
      }`
    case 'posting':
      return `${words.kinds.posting}: ${lines
        .map(({ refs, amount }) => `${nameOf(refs[1], names)} ${format.signed(amount ?? 0)}`)
        .join(', ')}`
    case 'person': {
      if (what === ATTEMPT_FAILED) {
        const account = names[entry.refs[1] ?? '']
        return `${timeline.attempts[status ?? ''] ?? timeline.attemptFailed}${account ? `: ${account}` : ''}`
      }
      const known = timeline.person[what.split('.').slice(-2).join('.')]
      return known
        ? html`${known}${status === null ? nothing : html`: ${wordOf(words.steps, status)}`}`
        : html`<code>${withBreaks(what)}</code>`
    }
    case 'staff':
      return html`<b>${actorMark(console, actor ?? '')}</b> ${wordOf(timeline.staff, what)}`
  }
}

function detailsOf({ format }: Console, entry: Entry): unknown {
  if (entry.kind === 'posting') {
    const sum = entry.lines.reduce((total, { amount }) => total + (amount ?? 0), 0)
    return sum === 0 ? words.timeline.balanced : format.signed(sum)
  }
  if (entry.kind === 'delivery')
    return html`<a href=${`/webhooks/${entry.refs[1]}?delivery=${entry.id}`} class="id">${shortId(entry.id)}</a>`
  if (entry.kind === 'request') return html`<a href="/requests/${entry.id}" class="id">${shortId(entry.id)}</a>`
  if (entry.kind === 'event') return html`<a href="/events/${entry.id}" class="id">${shortId(entry.id)}</a>`
  return entry.kind === 'person' ? nothing : html`<span class="id">${shortId(entry.id)}</span>`
}

const isSameDay = (format: Console['format'], { at, finished_at }: Entry): boolean =>
  format.text(at, 'key') === format.text(finished_at ?? at, 'key')

interface TimelineOptions {
  /** The text for an empty timeline, if it differs from the default. */
  empty?: string
  waits?: { text: unknown; since?: string } | undefined
  names?: Names
}

/** A page's timeline: its data, and the kinds of entries that are hidden. */
export class TimelineView {
  readonly load: Load<Timeline>
  /** Reads are hidden at first, because a page that refreshes sends many of them. */
  private readonly off = new Set<Kind>(['read'])
  /** Entries loaded after the first page. */
  private older: Timeline | null = null
  private about = ''
  private readonly redraw: () => void

  constructor(load: Load<Timeline>, redraw: () => void) {
    this.load = load
    this.redraw = redraw
  }

  read(console: Console, about: string): void {
    if (this.about !== about) this.older = null
    this.about = about
    this.load.read(about, signal => console.api.get('/timeline', { about }, signal))
  }

  /**
   * @param options.waits the reason that the resource is currently waiting, shown at the top
   * @param options.names the names of the resource's accounts, keyed by id
   */
  draw(console: Console, { waits, names = {}, empty = words.timeline.empty }: TimelineOptions = {}): TemplateResult {
    return panel(console, this.load, {
      title: words.timeline.title,
      shape: 'rows',
      flush: true,
      tools: this.switches(),
      empty: ({ data, missing }) => (data.length === 0 && missing.length === 0 && !waits ? empty : null),
      body: value => this.body(console, value, { waits, names }),
    })
  }

  /** All entries: the first page and those loaded after it. */
  private get moments(): readonly Moment[] {
    const first = this.load.value?.data ?? []
    const known = new Set(first.map(({ id }) => id))
    return [...first, ...(this.older?.data ?? []).filter(({ id }) => !known.has(id))]
  }

  private switches(): TemplateResult {
    const present = [...new Set(this.moments.map(kindOf))]
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

  /** Loads the next page of entries. */
  private async more(console: Console, page_cursor: string): Promise<void> {
    const { about } = this
    try {
      const page = await console.api.get<Timeline>('/timeline', { about, page_cursor })
      if (about !== this.about) return
      this.older = { ...page, data: [...(this.older?.data ?? []), ...page.data] }
      this.redraw()
    } catch {
      console.say(words.panel.unavailable)
    }
  }

  private body(console: Console, first: Timeline, { waits, names = {} }: TimelineOptions) {
    const { format } = console
    const { missing } = first
    const next = (this.older ?? first).next_cursor
    const days = new Map<string, Entry[]>()
    for (const entry of entriesOf(this.moments.filter(moment => !this.off.has(kindOf(moment))))) {
      const day = format.text(entry.at, 'longDay')
      days.set(day, [...(days.get(day) ?? []), entry])
    }
    return html`${
      missing.length === 0
        ? nothing
        : html`<p class="stale" role="status">
            ${icon('alert')}<span>${words.panel.missingKind(missing.map(kind => words.kinds[kind]).join(', '))}</span>
            <button class="text-button" @click=${this.load.refresh}>${words.panel.retry}</button>
          </p>`
    }
      ${isClockAhead(console.session) && this.moments.some(isReal) ? html`<div class="card-body">${clockNote(console, words.clocks.timeline)}</div>` : nothing}
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
        ([day, entries]) =>
          html`<h3 class="day">${day}</h3>
            <ol class="timeline">
              ${entries.map(entry => row(console, entry, names))}
            </ol>`,
      )}
      ${
        next
          ? html`<div class="pager">
              <button class="btn small" @click=${() => void this.more(console, next)}>${words.timeline.older}</button>
            </div>`
          : nothing
      }`
  }
}

function row(console: Console, entry: Entry, names: Names): TemplateResult {
  const [name, tone] = kindMarks[entry.kind]
  return html`<li>
    <span class="when">${console.format.at(entry.at, 'time')}</span>
    <span class="kind c-${isFailure(entry) ? 'red' : tone}" title=${words.kinds[entry.kind]}>${icon(name)}</span>
    <p>${sentence(console, entry, names)}</p>
    <small>${detailsOf(console, entry)}</small>
  </li>`
}
