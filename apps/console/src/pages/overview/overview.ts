/**
 * The overview: open tasks, the money at each stage, and the steps that people reach. Each number links to its list.
 */
import type { FunnelStats, OpalSession, Payment, PaymentStats, Webhook } from '@causeway/sdk'
import { vars } from '@causeway/ui/vars'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { type Api, Failure, type List } from '../../api.js'
import { shortUrl } from '../../format.js'
import { Page } from '../../page.js'
import { columnChart } from '../../parts/column-chart.js'
import { type IconName, icon } from '../../parts/icons.js'
import type { Tone } from '../../parts/marks.js'
import { pageHeader } from '../../parts/page-header.js'
import { panel } from '../../parts/panel.js'
import { type Filter, filterBar, viewTabs } from '../../parts/table.js'
import { address } from '../../router.js'
import { type Health, may, type RepairCount, type Repairs } from '../../shapes.js'
import { wordOf, words } from '../../words.js'
import { repairText } from '../connections/connections-answer.js'
import {
  daysUntil,
  isPossible,
  MAX_DAYS,
  MAX_SESSIONS,
  moneyByStatus,
  type Period,
  readPeriod,
  sessionDays,
} from './overview-numbers.js'

const { overview: text } = words
const PAGE_SIZE = 50
const MAX_PARTLY_PAID_PAGES = 10
/** The number of days for which a session counts as stuck. */
const MAX_STUCK_AGE_DAYS = 7

const dayFilter: readonly Filter[] = [{ name: 'days', label: text.created }]
const chosenDays = { from: null, to: null }
const ranges = [
  { text: text.ranges.week, set: { ...chosenDays, range: '7' } },
  { text: text.ranges.month, set: { ...chosenDays, range: null } },
  { text: text.ranges.quarter, set: { ...chosenDays, range: '90' } },
]

/** The payments of the chart's period, and of the period before it. */
interface Money {
  current: PaymentStats
  previous: PaymentStats
  period: Period
}

/** The team's open tasks. */
interface Needs {
  approvals: List<Payment>
  webhooks: List<Webhook>
  /** Sessions created in the last {@link MAX_STUCK_AGE_DAYS} days. Older ones are abandoned rather than stuck. */
  stuck: List<OpalSession>
  /** Loans that wait for their release. Read for users who can release them. */
  releases: Pick<List<OpalSession>, 'data' | 'next'>
  /** Releases that left an account unpaid. */
  partly: Pick<List<OpalSession>, 'data' | 'next'>
  repairs: RepairCount
  /** The number of dead jobs, which only operators see. */
  dead: number
}

@customElement('page-overview')
export class OverviewPage extends Page {
  private readonly needs = this.load<Needs>()
  private readonly money = this.load<Money>()
  private readonly funnel = this.load<FunnelStats>()

  override get heading(): string {
    return words.nav.overview
  }

  protected override render(): TemplateResult {
    const { console } = this
    const { api, format } = console
    this.needs.read('needs', async signal => {
      const [approvals, webhooks, stuck, releases, partly, repairs, health] = await Promise.all([
        api.list<Payment>('/payments', { status: ['reversal_required'], page_limit: PAGE_SIZE }, signal),
        api.list<Webhook>('/webhooks', { status: ['requires_attention', 'disabled'], page_limit: 100 }, signal),
        api.list<OpalSession>('/opal/sessions', { ...this.stuckQuery, page_limit: PAGE_SIZE }, signal),
        may(console.session, 'payments')
          ? api.list<OpalSession>('/opal/sessions', { payout_status: 'pending_release', page_limit: PAGE_SIZE }, signal)
          : { data: [], next: null },
        partlyPaid(api, signal),
        api.get<Repairs>('/institutions/repairs', { count: 'only' }, signal),
        console.session.user.operator ? api.get<Health>('/operator/health', {}, signal) : null,
      ])
      return {
        approvals,
        webhooks,
        stuck,
        releases,
        partly,
        repairs: repairs.total ?? noRepairs,
        dead: health?.jobs.dead ?? 0,
      }
    })
    const period = readPeriod(this.place.query, console.now())
    this.money.read(`money ${period.from} ${period.to}`, async signal => {
      const read = (from?: string, to?: string) =>
        api.get<PaymentStats>('/stats/payments', { from_date: from, to_date: to }, signal)
      if (!isPossible(period)) throw new Failure('refused', { message: text.wrongPeriod(MAX_DAYS) })
      const [current, previous] = await Promise.all([
        read(period.from, period.to),
        read(period.previous[0], period.previous.at(-1)),
      ])
      return { current, previous, period }
    })
    if (isPossible(period)) {
      const { from, to } = sessionDays(period)
      this.funnel.read(`funnel ${from} ${to}`, signal =>
        api.get('/stats/funnel', { mode: 'balance_transfer', from_date: from, to_date: to }, signal),
      )
    }
    return html`${pageHeader(console, {
      title: format.text(console.now(), 'longDay'),
      lead: this.money.value
        ? text.asOf(format.text(this.money.value.current.as_of, 'time'), format.zoneName)
        : nothing,
    })}
      <div class="stack">${this.needsYou()} ${this.places()} ${isPossible(period) ? this.steps(period) : nothing}</div>`
  }

  private get stuckQuery() {
    const [from_date] = daysUntil(this.console.now(), MAX_STUCK_AGE_DAYS)
    return { stuck_for: 'P1D', from_date }
  }

  private needsYou(): TemplateResult {
    const { console } = this
    const row = (tone: Tone, name: IconName, sentence: unknown, href: string, action: string) =>
      html`<li class="c-${tone}">${icon(name)}<span>${sentence}</span><a href=${href}>${action}</a></li>`
    const counted = ({ data, next }: Pick<List<unknown>, 'data' | 'next'>) =>
      next ? `${data.length}+` : String(data.length)
    return panel(console, this.needs, {
      title: text.needs,
      shape: 'rows',
      needs: 'viewer',
      flush: true,
      empty: ({ approvals, webhooks, stuck, releases, partly, repairs, dead }) =>
        approvals.data.length +
          webhooks.data.filter(isFailing).length +
          stuck.data.length +
          releases.data.length +
          partly.data.length +
          repairs.count +
          dead +
          console.session.approvals_waiting ===
        0
          ? text.nothing
          : null,
      body: ({ approvals, webhooks, stuck, releases, partly, repairs, dead }) =>
        html`<ul class="todo">
          ${
            console.session.approvals_waiting > 0
              ? row('warn', 'people', text.requests(console.session.approvals_waiting), '/approvals', text.review)
              : nothing
          }
          ${
            approvals.data.length > 0
              ? row(
                  'amber',
                  'undo',
                  text.approvals(counted(approvals), may(console.session, 'payments')),
                  address('/payments', { status: 'reversal_required' }),
                  text.review,
                )
              : nothing
          }
          ${
            releases.data.length > 0
              ? row(
                  'warn',
                  'pay',
                  text.releases(counted(releases)),
                  address('/sessions', { payout_status: 'pending_release' }),
                  text.review,
                )
              : nothing
          }
          ${
            partly.data.length > 0
              ? row('warn', 'pay', text.partly(counted(partly)), address('/sessions', { unpaid: 'true' }), text.review)
              : nothing
          }
          ${webhooks.data
            .filter(isFailing)
            .map(({ id, url, status }) =>
              row('red', 'hook', text.webhook(shortUrl(url), status === 'disabled'), `/webhooks/${id}`, text.look),
            )}
          ${stuck.data.length > 0 ? row('warn', 'route', text.stuck(counted(stuck)), address('/sessions', { stuck_for: 'P1D', from: this.stuckQuery.from_date }), text.help) : nothing}
          ${
            repairs.count > 0
              ? row('warn', 'plug', text.repairs(repairText(console, repairs)), '/people/repairs', text.look)
              : nothing
          }
          ${dead > 0 ? row('red', 'alert', text.jobs(console.format.count(dead)), '/health', text.look) : nothing}
        </ul>`,
    })
  }

  private places(): TemplateResult {
    const { console, place } = this
    const { format } = console
    const bar = html`<div class="period">
      ${viewTabs(place, text.period, ranges)} ${filterBar(console, place, dayFilter, { add: text.otherDays })}
    </div>`
    const chart = panel(console, this.money, {
      title: text.money,
      shape: 'chart',
      needs: 'viewer',
      note: this.money.value
        ? text.days(format.bankDate(this.money.value.period.from), format.bankDate(this.money.value.period.to))
        : nothing,
      empty: ({ current }) => (current.data.length === 0 ? text.noPayments : null),
      body: ({ current, previous, period }) => {
        const { days } = period
        const places = moneyByStatus(current, days)
        const earlier = moneyByStatus(previous, period.previous)
        const all = sumOf(places)
        const before = sumOf(earlier)
        const change = before === 0 ? null : Math.round(((all - before) / before) * 100)
        return html`<p class="sum">
            <b>${format.money(all)}</b> <small>${text.change(change, format.money(before), days.length)}</small>
          </p>
          <div class="meter" aria-hidden="true">
            ${places.map(({ tone, cents }) => html`<i class="c-${tone}" ${vars({ '--share': `${(cents / all) * 100}%` })}></i>`)}
          </div>
          <dl class="places">
            ${places.map(
              ({ name, tone, statuses, count, cents }) =>
                html`<div>
                  <dt><i class="dot c-${tone}"></i>${name}</dt>
                  <dd>
                    <a href=${address('/payments', { status: statuses.join(), from: period.from, to: period.to })}>${format.money(cents)}</a>
                    <small>${words.payments.summary(format.count(count))}</small>
                  </dd>
                </div>`,
            )}
          </dl>
          ${columnChart({
            label: text.moneyLabel,
            labels: days.map(format.bankDate),
            series: places,
            previous: {
              name: text.before,
              values: days.map((_, index) => earlier.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
            },
            tableTitle: words.webhook.chartTable,
            firstColumn: text.day,
            write: format.dollarsInShort,
          })}`
      },
    })
    return html`${bar}${chart}`
  }

  private steps(period: Period): TemplateResult {
    const { console, funnel } = this
    const { format } = console
    const { from, to, isShortened } = sessionDays(period)
    const days = text.days(format.bankDate(from), format.bankDate(to))
    const isCapped = (funnel.value?.sessions ?? 0) >= MAX_SESSIONS
    return panel(console, this.funnel, {
      title: text.funnel,
      shape: 'rows',
      flush: true,
      needs: 'viewer',
      note: [
        isCapped ? text.latestSessions(format.count(MAX_SESSIONS), days) : days,
        isShortened ? text.shortened : null,
      ]
        .filter(Boolean)
        .join(' · '),
      empty: ({ data }) => (data.length === 0 ? text.noSessions : null),
      body: ({ data }) => {
        const most = Math.max(1, ...data.map(({ entered }) => entered))
        return html`<table class="funnel" aria-label=${text.funnel}>
          <thead>
            <tr>
              <th scope="col">${words.session.step}</th>
              <th scope="col" class="wide"><span class="sr">${text.share}</span></th>
              <th scope="col" class="end">${text.entered}</th>
              <th scope="col" class="end">${text.left}</th>
              <th scope="col" class="end wide">${text.median}</th>
              <th scope="col" class="wide">${text.reason}</th>
            </tr>
          </thead>
          <tbody>
            ${data.map(
              ({ step, entered, left, median_ms, reasons }) =>
                html`<tr>
                  <td>${wordOf(words.steps, step)}</td>
                  <td class="wide grows">
                    <div class="bar"><i ${vars({ '--share': `${(entered / most) * 100}%` })}></i></div>
                  </td>
                  <td class="end strong">${format.count(entered)}</td>
                  <td class="end soft">${left > 0 ? format.count(left) : ''}</td>
                  <td class="end wide soft">${median_ms === null ? '' : format.span(median_ms)}</td>
                  <td class="wide soft">${reasons[0] ? wordOf(words.blocked, reasons[0].code) : ''}</td>
                </tr>`,
            )}
          </tbody>
        </table>`
      },
    })
  }
}

/**
 * Returns up to 50 sessions that were paid only in part. The service removes the sessions that were paid since from each
 * page, so a page can be empty while later pages are not.
 */
async function partlyPaid(api: Api, signal: AbortSignal): Promise<Pick<List<OpalSession>, 'data' | 'next'>> {
  const data: OpalSession[] = []
  let next: string | null = null
  for (let pages = 0; pages < MAX_PARTLY_PAID_PAGES && (pages === 0 || next) && data.length < PAGE_SIZE; pages += 1) {
    const query = { unpaid: 'true', page_limit: PAGE_SIZE, page_cursor: next }
    const page: List<OpalSession> = await api.list('/opal/sessions', query, signal)
    data.push(...page.data)
    next = page.next
  }
  return { data, next }
}

const noRepairs: RepairCount = { count: 0, more: false }
const sumOf = (groups: readonly { cents: number }[]): number => groups.reduce((sum, { cents }) => sum + cents, 0)
/** Returns true if a webhook's deliveries fail, but not if a user disabled it. */
const isFailing = ({ status, error }: Webhook): boolean =>
  status === 'requires_attention' || (status === 'disabled' && error?.sub_type !== 'WEBHOOK_DISABLED_BY_USER')
