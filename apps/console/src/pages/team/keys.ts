/** The team's secret keys: a list, and forms that create and revoke keys. */
import type { Key, NewKey } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { Failure } from '../../api.js'
import { Page } from '../../page.js'
import { actorMark } from '../../parts/actor.js'
import { confirm, showSecret } from '../../parts/dialogs.js'
import { icon } from '../../parts/icons.js'
import { pageHeader } from '../../parts/page-header.js'
import { panel } from '../../parts/panel.js'
import { type Column, table } from '../../parts/table.js'
import { isLinkSession, may } from '../../shapes.js'
import { words } from '../../words.js'
import type { ApprovalSettings } from './approval-settings.js'

const { keys: text } = words
const scopes = Object.keys(text.scopes) as Key['scopes']

@customElement('page-keys')
export class KeysPage extends Page {
  private readonly keys = this.load<{ data: Key[] }>()
  private readonly approvals = this.load<ApprovalSettings>()

  override get heading(): string {
    return text.title
  }

  private get mayChange(): boolean {
    return may(this.console.session, 'settings')
  }

  protected override render(): TemplateResult {
    const { console, keys } = this
    keys.read('keys', signal => console.api.list('/team/keys', {}, signal))
    if (this.mayChange)
      this.approvals.read('approvals', signal => console.api.get('/console/approval_settings', {}, signal))
    const isLink = isLinkSession(console.session)
    return html`${pageHeader(console, {
      title: text.title,
      lead: text.lead,
      tools: this.mayChange
        ? html`<button class="btn go" ?disabled=${isLink} aria-describedby=${isLink ? 'no-link' : nothing} @click=${() => void this.create()}>${icon('plus')}${text.create}</button>`
        : nothing,
    })}
    ${this.mayChange && isLink ? html`<p class="stale" id="no-link">${icon('alert')}<span>${text.noLink}</span></p>` : nothing}
    ${panel(console, keys, {
      title: text.title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs: 'viewer',
      body: ({ data }) => table({ label: text.title, columns: this.columnsOf(data), rows: data }),
    })}`
  }

  private columnsOf(keys: readonly Key[]): Column<Key>[] {
    const { format } = this.console
    const used = ({ last_used_at }: Key) => (last_used_at ? format.at(last_used_at) : text.never)
    return [
      {
        head: text.key,
        breaks: true,
        cell: row =>
          html`<code>sk_…${row.last4}</code><small class="id">${row.id}</small><small class="narrow">${text.used}: ${used(row)}</small>`,
      },
      { head: text.scope, breaks: true, cell: row => row.scopes.map(scope => text.scopes[scope].name).join(', ') },
      { head: text.used, wide: true, cell: row => html`<small>${used(row)}</small>` },
      { head: text.creator, wide: true, cell: row => this.creatorOf(row, keys) },
      { head: text.made, wide: true, cell: row => html`<small>${format.at(row.created_at, 'day')}</small>` },
      {
        head: html`<span class="sr">${text.revoke}</span>`,
        end: true,
        cell: row =>
          this.mayChange
            ? html`<button class="btn small" aria-label=${text.revokeOf(row.last4)} @click=${() => void this.revoke(row)}>${text.revoke}</button>`
            : nothing,
      },
    ]
  }

  private creatorOf({ created_by: id }: Key, keys: readonly Key[]): unknown {
    if (id === null) return text.operator
    const key = keys.find(each => each.id === id)
    if (key) return html`<code>sk_…${key.last4}</code>`
    return actorMark(this.console, id)
  }

  private async create(): Promise<void> {
    const { console } = this
    let created: NewKey | null = null
    const needsSecondPerson = (this.approvals.value?.approve_above ?? null) !== null
    const isRefused = (scope: string) => needsSecondPerson && (scope === 'payments' || scope === 'admin')
    const done = await confirm({
      title: text.create,
      body: html`${text.createLead}${needsSecondPerson ? html` <span id="second-person">${text.secondPerson}</span>` : nothing}`,
      action: text.create,
      signedInRecently: console,
      fields: html`<fieldset class="choices">
        <legend>${text.scope}</legend>
        ${scopes.map(
          scope =>
            html`<label class="check"
              ><input type="checkbox" name="scope" value=${scope} ?checked=${scope === 'read'} ?disabled=${isRefused(scope)} aria-describedby=${isRefused(scope) ? 'second-person' : nothing} />
              <span><b>${text.scopes[scope].name}</b> <small>${text.scopes[scope].does}</small></span></label
            >`,
        )}
      </fieldset>`,
      run: async (values, { key }) => {
        const chosen = values.getAll('scope')
        if (chosen.length === 0) throw new Failure('refused', { message: text.chooseScope })
        created = await console.api.send<NewKey>('POST', '/team/keys', { scopes: chosen }, key)
      },
    })
    const secret = (created as NewKey | null)?.value
    if (!done || !secret) return
    await showSecret(console, { title: text.secretTitle, body: text.secretBody, secret })
    this.refresh()
  }

  private async revoke({ id, last4 }: Key): Promise<void> {
    const { console } = this
    const choice = (value: string, label: string, isChosen: boolean) =>
      html`<label class="check"><input type="radio" name="created" value=${value} ?checked=${isChosen} /> <span>${label}</span></label>`
    const done = await confirm({
      title: text.revokeOf(last4),
      body: text.revokeLead,
      action: text.revoke,
      danger: true,
      typed: last4,
      fields: html`<fieldset class="choices">
        <legend>${text.created}</legend>
        ${choice('keep', text.keep, true)} ${choice('revoke', text.revokeAll, false)}
      </fieldset>`,
      run: async values => {
        await console.api.send('DELETE', `/team/keys/${id}?created_keys=${values.get('created')}`)
      },
    })
    if (!done) return
    console.say(text.revoked)
    this.refresh()
  }
}
