/** The page that lists webhook endpoints. */
import type { NewWebhook, Webhook } from '@causeway/sdk'
import { html, nothing } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortUrl } from '../../format.js'
import { type ListOptions, ListPage } from '../../list-page.js'
import { confirm, showSecret } from '../../parts/dialogs.js'
import { icon } from '../../parts/icons.js'
import { statusPill } from '../../parts/marks.js'
import type { Column, Filter } from '../../parts/table.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { may } from '../../shapes.js'
import { words } from '../../words.js'

const { webhooks } = words
const filters: readonly Filter[] = [{ name: 'days', label: words.table.made }]

/** Suggestions for the type of a new webhook. */
const commonTypes = [
  'payment.update',
  'payment_reversal.update',
  'opal_session.update',
  'element_session.update',
  'account.create',
  'account.update',
  'account.opened',
  'account.closed',
  'balance.update',
  'entity.update',
  'report.update',
  'webhook.update',
]

@customElement('page-webhooks')
export class WebhooksPage extends ListPage<Webhook> {
  protected readonly list: ListOptions = {
    path: '/webhooks',
    text: webhooks,
    needs: 'engineer',
    filters,
  }

  protected override tools(): unknown {
    if (!may(this.console.session, 'settings')) return nothing
    return html`<button class="btn go" @click=${() => void this.create()}>${icon('plus')}${webhooks.create}</button>`
  }

  private async create(): Promise<void> {
    const { console } = this
    let created: NewWebhook | null = null
    const done = await confirm({
      title: webhooks.create,
      body: webhooks.createBody,
      action: webhooks.create,
      fields: html`<label class="field"
          ><span>${webhooks.address}</span><input class="input" name="url" type="url" required maxlength="2048"
        /></label>
        <label class="field"
          ><span>${webhooks.type}</span><input class="input" name="type" list="event-types" required maxlength="200" autocapitalize="off" spellcheck="false"
        /></label>
        <datalist id="event-types">${commonTypes.map(type => html`<option value=${type}></option>`)}</datalist>
        <label class="pick"><input type="checkbox" name="expand_event" />${webhooks.expands}</label>`,
      run: async (values, { key }) => {
        const body = {
          url: String(values.get('url')).trim(),
          type: String(values.get('type')).trim(),
          expand_event: values.has('expand_event'),
        }
        created = await console.api.send<NewWebhook>('POST', '/webhooks', body, key)
      },
    })
    if (!done || created === null) return
    const { id, hmac_secret: secret } = created as NewWebhook
    console.say(webhooks.created)
    if (secret !== null) await showSecret(console, { title: webhooks.secretTitle, body: webhooks.secretBody, secret })
    console.go(`/webhooks/${id}`)
  }

  protected get columns(): Column<Webhook>[] {
    const { format } = this.console
    const { columns } = webhooks
    return [
      {
        head: columns.address,
        grows: true,
        cell: row =>
          html`<b>${withBreaks(shortUrl(row.url))}</b><small class="narrow">${row.type}</small>${
            row.error ? html`<small class="why">${row.error.message}</small>` : nothing
          }`,
      },
      { head: columns.status, cell: row => statusPill(row.status) },
      { name: 'type', head: columns.type, wide: true, cell: row => html`<code>${row.type}</code>` },
      {
        name: 'made',
        head: columns.made,
        wide: true,
        cell: row => html`<small>${format.at(row.created_at, 'day')}</small>`,
      },
      { name: 'id', head: columns.id, wide: true, cell: row => html`<span class="id">${row.id}</span>` },
    ]
  }
}
