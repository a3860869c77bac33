/** Follows deliveries that are sent again until each has an outcome, and shows what happened to each. */
import type { Delivery, Webhook } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import type { Api } from '../../api.js'
import { shortId } from '../../format.js'
import type { Console } from '../../page.js'
import { icon } from '../../parts/icons.js'
import { statusPill } from '../../parts/marks.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { SECOND_MS } from '../../time.js'
import { wordOf, words } from '../../words.js'
import { deliveryCells } from './delivery-cells.js'

const { resent: text } = words
const POLL_MS = SECOND_MS
/** The longest time for which deliveries are followed. An attempt takes up to 5 seconds, and others may come first. */
const FOLLOW_MS = 30 * SECOND_MS

/** The response to a request to send several deliveries again. */
export interface Resent {
  queued: number
  deliveries: readonly { id: string; queued: boolean; reason: 'webhook_disabled' | 'webhook_deleted' | null }[]
}

/** True if a delivery that was queued has neither been attempted nor canceled yet. */
const isQueued = ({ status, attempts }: Delivery): boolean => status === 'pending' && attempts === 0

/**
 * Reads deliveries that were just queued until each has been attempted or canceled, for a limited time.
 * @param show receives each response. Returns false to stop
 */
export async function followDeliveries(
  api: Api,
  ids: readonly string[],
  show: (deliveries: readonly Delivery[]) => boolean,
): Promise<void> {
  for (let waited = 0; waited <= FOLLOW_MS; waited += POLL_MS) {
    const { data } = await api.list<Delivery>('/deliveries', { id: ids, page_limit: 100 })
    if (!show(data) || !data.some(isQueued)) return
    await new Promise(done => setTimeout(done, POLL_MS))
  }
}

const WATCH_DELAYS_MS = [1, 2, 4, 8].map(seconds => seconds * SECOND_MS)

/**
 * Reads a webhook several times while its deliveries are sent, and calls `refresh` each time.
 * @returns true as soon as the webhook is disabled
 */
export async function isDisabledSoon(api: Api, webhook: string, refresh: () => boolean): Promise<boolean> {
  for (const delay of WATCH_DELAYS_MS) {
    await new Promise(done => setTimeout(done, delay))
    if (!refresh()) return false
    const { status } = await api.get<Webhook>(`/webhooks/${webhook}`)
    if (status === 'disabled' || status === 'deleted') return true
  }
  return false
}

/**
 * Returns what happened to a delivery that was sent again.
 * @param isDeleted true if the delivery's webhook was deleted
 */
export function outcomeOf({ format, now }: Console, delivery: Delivery, isDeleted = false): string {
  const { status, attempts, response_status, failure, next_attempt_at } = delivery
  const answer = failure ? wordOf(words.webhook.failure, failure) : String(response_status ?? '')
  if (status === 'delivered') return text.delivered(answer)
  if (status === 'failed') return text.failed(answer)
  if (status === 'canceled') {
    if (attempts > 0) return text.failedAndOff(answer)
    return isDeleted ? text.notSent.webhook_deleted : text.notSent.webhook_disabled
  }
  if (isQueued(delivery)) return text.waiting
  const next = next_attempt_at ? format.span(Math.max(0, Date.parse(next_attempt_at) - now())) : ''
  return text.failedAgain(answer, next)
}

interface Context {
  href: (row: Delivery) => string
  endpoint: (row: Delivery) => unknown
  isDeleted: (row: Delivery) => boolean
}

/** The deliveries that a user selected and sent again. */
export class ResentDeliveries {
  private rows: readonly Delivery[] = []
  private reasons: ReadonlyMap<string, keyof typeof text.notSent> = new Map()
  private readonly redraw: () => void

  constructor(redraw: () => void) {
    this.redraw = redraw
  }

  /**
   * Shows what happened to each delivery as soon as it is known.
   * @param isShown returns false once the page is no longer shown
   */
  async follow(api: Api, rows: readonly Delivery[], { deliveries }: Resent, isShown: () => boolean): Promise<void> {
    this.rows = rows.map(row => ({ ...row, status: 'pending', attempts: 0 }))
    this.reasons = new Map(deliveries.flatMap(({ id, reason }) => (reason ? [[id, reason] as const] : [])))
    this.redraw()
    const queued = deliveries.filter(each => each.queued).map(({ id }) => id)
    const { reasons } = this
    if (queued.length > 0)
      await followDeliveries(api, queued, latest => {
        // Another selection may have been sent since.
        if (!isShown() || this.reasons !== reasons) return false
        const byId = new Map(latest.map(row => [row.id, row]))
        this.rows = this.rows.map(row => byId.get(row.id) ?? row)
        this.redraw()
        return true
      })
  }

  private readonly close = (): void => {
    this.rows = []
    this.reasons = new Map()
    this.redraw()
  }

  private groupOf(row: Delivery): keyof typeof text.groups {
    if (this.reasons.has(row.id) || (row.status === 'canceled' && row.attempts === 0)) return 'notSent'
    return isQueued(row) ? 'waiting' : row.status === 'delivered' ? 'delivered' : 'failedAgain'
  }

  private get summary(): string {
    const groups = this.rows.map(row => this.groupOf(row))
    return (['waiting', 'delivered', 'failedAgain', 'notSent'] as const)
      .map(name => [text.groups[name], groups.filter(each => each === name).length] as const)
      .flatMap(([write, count]) => (count > 0 ? write(count) : []))
      .join(' · ')
  }

  draw(console: Console, { href, endpoint, isDeleted }: Context): TemplateResult {
    const { rows } = this
    return html`<section class="card resent" aria-label=${text.title} ?hidden=${rows.length === 0}>
      <div class="card-head">
        <strong role="status">${rows.length > 0 ? this.summary : nothing}</strong>
        <button class="btn small" @click=${this.close}>${icon('x')}${text.close}</button>
      </div>
      <ul>
        ${rows.map(row => {
          const reason = this.reasons.get(row.id)
          return html`<li>
            <a href=${href(row)} aria-label=${deliveryCells(console).name(row)}><code>${withBreaks(row.type)}</code></a>
            <span class="id" title=${row.resource_id}>${shortId(row.resource_id)}</span>
            <small>${console.format.at(row.created_at)} · ${endpoint(row)}</small>
            ${reason ? nothing : statusPill(row.status)}
            <span>${reason ? text.notSent[reason] : outcomeOf(console, row, isDeleted(row))}</span>
          </li>`
        })}
      </ul>
    </section>`
  }
}
