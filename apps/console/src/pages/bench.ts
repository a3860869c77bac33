/**
 * The sandbox bench: people by scenario, the clock, payments and faults. Each button shows the request that it sends.
 */
import type { Payment, Result } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { accountName } from '../accounts.js'
import type { List } from '../api.js'
import { Page } from '../page.js'
import { copyButton } from '../parts/copy.js'
import { paymentPill, shownStatus } from '../parts/marks.js'
import { pageHeader } from '../parts/page-header.js'
import { card, panel } from '../parts/panel.js'
import { may } from '../shapes.js'
import { words } from '../words.js'

const { bench: text } = words

const jumps = ['PT10M', 'PT1H', 'P1D', 'P3D', 'P1W', 'P31D'] as const
const targets = ['network', 'identity', 'rail', 'idempotency'] as const
const modes = ['slow', 'failing', 'flapping'] as const
/** The statuses to which a payment can be moved, keyed by its current status. */
const moves: Readonly<Record<string, readonly Payment['status'][]>> = {
  pending: ['processing', 'failed'],
  processing: ['sent', 'failed'],
  sent: ['posted', 'reversal_required'],
  posted: ['settled', 'reversal_required'],
  cashed: ['settled', 'reversal_required'],
  reversal_processing: ['reversed'],
}

interface Made {
  call: string
  body: object
  answer: unknown
}

@customElement('page-bench')
export class BenchPage extends Page {
  private readonly people = this.load<{ data: Result<'GET /simulate/people'>[] }>()
  private readonly clock = this.load<Result<'GET /simulate/clock'>>()
  private readonly faults = this.load<{ data: Result<'GET /simulate/faults'>[] }>()
  private readonly payments = this.load<List<Payment>>()
  /** The last request sent by a button. */
  @state() private made: Made | null = null

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console } = this
    const { api, session } = console
    if (session.environment !== 'sandbox')
      return html`${pageHeader(console, { title: text.title })}
        <div class="card"><div class="empty"><p>${text.production}</p></div></div>`
    this.people.read('people', signal => api.get('/simulate/people', {}, signal))
    this.clock.read('clock', signal => api.get('/simulate/clock', {}, signal))
    this.faults.read('faults', signal => api.get('/simulate/faults', {}, signal))
    this.payments.read('payments', signal => api.list('/payments', { page_limit: 5, expand: ['destination'] }, signal))
    const { role } = session.user
    return html`${pageHeader(console, { title: text.title, lead: this.mayAct ? text.lead : text.looksOnly(words.roles[role]) })}
      <div class="two">
        <div class="stack">${this.clockCard()} ${this.paymentsCard()} ${this.faultsCard()} ${this.peopleCard()}</div>
        <div class="stack">${this.code()} ${this.typing()}</div>
      </div>`
  }

  /** True if the user's role allows changes to the sandbox, which require write access. */
  private get mayAct(): boolean {
    return may(this.console.session, 'write')
  }

  /** Sends a request and shows it as code. */
  private make(path: string, body: object): Promise<void> {
    this.made = null
    return this.act(text.done, async () => {
      this.made = { call: `POST ${path}`, body, answer: await this.console.api.send('POST', path, body) }
    })
  }

  private clockCard(): TemplateResult {
    const { console } = this
    const { format } = console
    return panel(console, this.clock, {
      title: text.clock,
      needs: 'engineer',
      note: text.clockNote,
      body: ({ now, ahead_seconds }) =>
        html`<p class="clock-face"><b>${format.text(now, 'moment')}</b> <small>${text.ahead(format.span(ahead_seconds * 1000))}</small></p>
          <div class="chips">
            ${jumps.map(
              advance =>
                html`<button class="btn" ?disabled=${!this.mayAct} @click=${() => void this.make('/simulate/clock', { advance })}>${text.jumps[advance]}</button>`,
            )}
          </div>`,
    })
  }

  private paymentsCard(): TemplateResult {
    const { console } = this
    return panel(console, this.payments, {
      title: text.move,
      shape: 'rows',
      flush: true,
      needs: 'engineer',
      empty: ({ data }) => (data.length === 0 ? words.payments.empty : null),
      body: ({ data }) =>
        html`<table aria-label=${text.move}>
          <thead>
            <tr>
              <th scope="col" class="wide">${words.payments.columns.status}</th>
              <th scope="col">${words.payments.columns.to}</th>
              <th scope="col">${text.moveTo}</th>
            </tr>
          </thead>
          <tbody>
            ${data.map(
              payment =>
                html`<tr>
                  <td class="wide">${paymentPill(shownStatus(payment))}</td>
                  <td class="breaks">
                    <a href="/payments/${payment.id}">${words.payment.title(console.format.money(payment.amount), accountName(payment.destination))}</a>
                    <small class="narrow">${paymentPill(shownStatus(payment))}</small>
                  </td>
                  <td class="breaks">
                    <div class="chips">
                      ${(moves[payment.status] ?? []).map(
                        status =>
                          html`<button
                            class="btn small"
                            ?disabled=${!this.mayAct}
                            @click=${() => void this.make(`/simulate/payments/${payment.id}`, { status })}
                          >
                            ${words.money[status]}
                          </button>`,
                      )}
                    </div>
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>`,
    })
  }

  private faultsCard(): TemplateResult {
    const { console } = this
    const { format, session } = console
    // Faults expire in real time, not on the team's clock.
    const now = console.now() - (session.clock?.ahead_seconds ?? 0) * 1000
    return panel(console, this.faults, {
      title: text.faults,
      shape: 'rows',
      flush: true,
      needs: 'engineer',
      note: text.faultsNote,
      body: ({ data }) =>
        html`<table aria-label=${text.faults}>
          <tbody>
            ${targets.map(target => {
              const running = data.find(each => each.target === target)
              return html`<tr>
                <th scope="row">${text.targets[target]}</th>
                <td class="breaks">
                  <div class="chips">
                    ${modes.map(
                      mode =>
                        html`<button
                          class="chip"
                          ?disabled=${!this.mayAct}
                          aria-pressed=${running?.mode === mode ? 'true' : 'false'}
                          @click=${() => void this.make('/simulate/faults', { target, mode, for: 'PT2M' })}
                        >
                          ${text.modes[mode]}
                        </button>`,
                    )}
                  </div>
                </td>
                <td class="end soft">${running ? text.left(format.span(Date.parse(running.until) - now)) : nothing}</td>
              </tr>`
            })}
          </tbody>
        </table>`,
    })
  }

  private peopleCard(): TemplateResult {
    return panel(this.console, this.people, {
      title: text.people,
      shape: 'rows',
      needs: 'engineer',
      note: text.peopleNote,
      empty: ({ data }) => (data.length === 0 ? text.noPeople : null),
      body: ({ data }) =>
        html`<ul class="cases">
          ${data.map(
            ({ last4, title, hint }) =>
              html`<li><b>${title}</b> <span class="id">·· ${last4}</span><small>${hint}</small></li>`,
          )}
        </ul>`,
    })
  }

  private code(): TemplateResult {
    const { made } = this
    if (!made) return card(text.code, html`<p class="soft">${text.codeEmpty}</p>`)
    const request = `${made.call}\n${JSON.stringify(made.body, null, 2)}`
    return card(
      text.code,
      html`<pre class="json" tabindex="0">${request}

${JSON.stringify(made.answer, null, 2)}</pre>`,
      { tools: copyButton(this.console, request, text.copy, 'small') },
    )
  }

  private typing(): TemplateResult {
    return card(
      text.typing,
      html`<table aria-label=${text.typing}>
        <tbody>
          ${text.inputs.map(
            ([input, result]) =>
              html`<tr>
                <td><code>${input}</code></td>
                <td class="end soft breaks">${result}</td>
              </tr>`,
          )}
        </tbody>
      </table>`,
      { flush: true },
    )
  }
}
