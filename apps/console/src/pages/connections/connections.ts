/** The page of providers, for operators: whether each works, what it serves, and its settings without secrets. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { Page } from '../../page.js'
import { answerPanel } from '../../parts/answer.js'
import { clockNote } from '../../parts/clock.js'
import { factList } from '../../parts/fact-list.js'
import { pill } from '../../parts/marks.js'
import { pageHeader } from '../../parts/page-header.js'
import { card, panel, staleNote } from '../../parts/panel.js'
import { table } from '../../parts/table.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { wordOf, words } from '../../words.js'
import { capabilityCard } from './capability-card.js'
import { answerOf, methodsByPort } from './connections-answer.js'
import type { Connection, Connections, Exception, Notice, OperatorList, Payee } from './shapes.js'
import { connectionTabs } from './tabs.js'

const { connections: text } = words

/** The pages about providers that have no page of their own. */
const guides: Readonly<Record<string, string>> = { connector: 'docs/connectors.md', sandbox: 'docs/sandbox.md' }

@customElement('page-connections')
export class ConnectionsPage extends Page {
  private readonly connections = this.load<Connections>()
  private readonly proposals = this.load<OperatorList<Payee>>()
  private readonly notices = this.load<OperatorList<Notice>>()
  private readonly exceptions = this.load<OperatorList<Exception>>()

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, connections, proposals, notices, exceptions, place } = this
    const { api } = console
    connections.read('connections', signal => api.get('/operator/connections', {}, signal))
    proposals.read('proposals', signal => api.get('/operator/payees', { status: 'proposed' }, signal))
    notices.read('notices', signal => api.get('/operator/notices', {}, signal))
    exceptions.read('exceptions', signal => api.get('/operator/exceptions', {}, signal))
    const { value } = connections
    return html`${pageHeader(console, { title: text.title })} ${connectionTabs(place)}
      ${clockNote(console, words.clocks.health)} ${staleNote(console, connections)}
      <div class="stack">
        ${
          value
            ? html`${answerPanel(
                console,
                answerOf(console, value.data, {
                  proposals: proposals.value,
                  notices: notices.value,
                  exceptions: exceptions.value,
                  repairs: value.repairs,
                }),
              )}
              ${value.data.length === 0 ? html`<p class="soft">${text.empty}</p>` : value.data.map(each => this.provider(each))}
              ${capabilityCard(value.capabilities)}`
            : panel(console, connections, { title: text.title, bare: true, needs: 'operator', body: () => nothing })
        }
      </div>`
  }

  private provider(connection: Connection): TemplateResult {
    const { format } = this.console
    const { title, name, hosts, environment, proven, key_rejected_at, last_failure, methods } = connection
    const tools = html`${proven ? pill(proven.level === 'live' ? 'good' : 'amber', 'flask', text.proven[proven.level]) : nothing}
    ${environment === 'any' ? nothing : pill(environment === 'production' ? 'blue' : 'slate', 'plug', text.environments[environment])}`
    return card(
      title,
      html`${this.counts(connection)}
        <div class="card-body">
          ${factList(
            [
              text.facts.hosts,
              hosts.length > 0
                ? html`<span class="ids">${hosts.map(host => html`<span class="id">${host}</span>`)}</span>`
                : null,
            ],
            connection.day
              ? [
                  text.facts.key,
                  key_rejected_at
                    ? html`<b class="bad-text">${text.keyRejected(format.text(key_rejected_at, 'moment'))}</b>`
                    : text.keyAccepted,
                ]
              : null,
            connection.day
              ? [
                  text.facts.failure,
                  last_failure
                    ? html`${wordOf(text.failures, last_failure.kind)} <code>${withBreaks(last_failure.method)}</code>,
                        ${format.at(last_failure.at)}`
                    : text.noFailure,
                ]
              : null,
            connection.receives_webhooks
              ? [text.facts.webhook, connection.webhook_at ? format.at(connection.webhook_at) : text.noWebhook]
              : null,
            proven ? [text.facts.proven, text.provenOn(text.provenNote[proven.level], proven.on)] : null,
            methods.length === 0 ? [text.facts.serves, text.servesNothing] : null,
            [text.facts.guide, html`<code>${withBreaks(guides[name] ?? `docs/guides/providers/${name}.md`)}</code>`],
          )}
          ${methods.length === 0 ? nothing : this.methods(methods)} ${this.others(connection)}
          ${this.settings(connection)}
        </div>`,
      { flush: true, note: html`<code>${name}</code>`, tools },
    )
  }

  private counts({ title, day, week, receives_webhooks }: Connection): TemplateResult {
    const { format } = this.console
    if (!day || !week) return html`<div class="card-body soft">${text.inside}</div>`
    const tile = (name: string, content: unknown, kind = '') =>
      html`<div>
        <dt>${name}</dt>
        <dd class=${kind}>${content}</dd>
      </div>`
    const failed = ({ calls, failures }: { calls: number; failures: number }) =>
      html`${format.count(failures)} <small>${failures > 0 ? format.percent(failures, calls) : nothing}</small>`
    return html`<dl class="tiles" aria-label=${text.tiles.label(title)}>
      ${tile(text.tiles.day, format.count(day.calls))}
      ${tile(text.tiles.dayFailed, failed(day), day.failures > 0 ? 'warn-text' : '')}
      ${tile(text.tiles.week, format.count(week.calls))} ${tile(text.tiles.weekFailed, failed(week))}
      ${receives_webhooks ? tile(text.tiles.hooks, format.count(day.webhooks)) : nothing}
    </dl>`
  }

  private methods(methods: readonly string[]): TemplateResult {
    return html`<details class="as-table">
      <summary>${text.methods(methods.length)}</summary>
      ${factList(
        ...methodsByPort(methods).map(([port, names]): [string, unknown] => [
          wordOf(text.ports, port),
          html`<code>${withBreaks(names.join(', '))}</code>`,
        ]),
      )}
    </details>`
  }

  private others({ other_methods: others }: Connection): TemplateResult | typeof nothing {
    if (others.length === 0) return nothing
    return html`<details class="as-table">
      <summary>${text.others(others.length)}</summary>
      ${factList(
        ...others.map(({ method, provider }): [string, string] => [
          method,
          provider === null ? text.notServed : text.servedBy(provider),
        ]),
      )}
    </details>`
  }

  private settings({ settings, title }: Connection): TemplateResult | typeof nothing {
    if (settings.length === 0) return nothing
    return html`<details class="as-table">
      <summary>${text.settings(settings.length)}</summary>
      ${table({
        label: `${title}: ${text.settings(settings.length)}`,
        rows: settings,
        columns: [
          { head: text.settingColumns.name, breaks: true, cell: row => html`<code>${withBreaks(row.name)}</code>` },
          {
            head: text.settingColumns.value,
            breaks: true,
            cell: ({ is_secret, is_set, value }) =>
              !is_set ? text.notSet : is_secret ? text.secretSet : (value ?? text.set),
          },
        ],
      })}
    </details>`
  }
}
