/** The signed-in user's own passkeys and sessions. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { Failure } from '../../api.js'
import { Page } from '../../page.js'
import { confirm } from '../../parts/dialogs.js'
import { pageHeader } from '../../parts/page-header.js'
import { panel } from '../../parts/panel.js'
import { type Column, table } from '../../parts/table.js'
import { type ConsoleAccount, type ConsoleSession, may, type Passkey } from '../../shapes.js'
import { createPasskey, passkeyProblem } from '../../shell/passkeys.js'
import { words } from '../../words.js'
import { sessionsCard } from './sessions-card.js'

const { ownAccount: text } = words

@customElement('page-account-own')
export class OwnAccountPage extends Page {
  private readonly account = this.load<ConsoleAccount>()
  private readonly sessions = this.load<{ data: ConsoleSession[] }>()

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, sessions } = this
    const { account_id, key_id } = console.session.user
    return html`${pageHeader(console, { title: text.title, lead: account_id ? nothing : text.noAccount(key_id !== null), tools: account_id || !may(console.session, 'users') ? nothing : html`<a class="btn" href="/users">${text.inviteSelf}</a>` })}
    ${account_id ? this.passkeys() : nothing}
    ${sessionsCard(console, sessions, {
      title: text.sessions,
      isShown: each => each.current || (account_id !== null && each.user_id === account_id),
      end: session => void this.end(session),
    })}`
  }

  private passkeys(): TemplateResult {
    const { console, account } = this
    account.read('account', signal => console.api.get('/console/account', {}, signal))
    const add = html`<button class="btn small" ?disabled=${this.busy} @click=${() => void this.add()}>${text.add}</button>`
    return panel(console, account, {
      title: text.passkeys,
      note: account.value?.email,
      tools: add,
      shape: 'rows',
      flush: true,
      empty: ({ passkeys }) => (passkeys.length === 0 ? text.none : null),
      body: ({ passkeys }) => html`${passkeys.length === 1 ? html`<p class="card-note">${text.onlyOne}</p>` : nothing}
        ${table({ label: text.passkeys, columns: this.columns(passkeys.length), rows: passkeys })}`,
    })
  }

  private columns(count: number): Column<Passkey>[] {
    const { format } = this.console
    return [
      {
        head: text.name,
        breaks: true,
        cell: row => html`<span>${row.name}</span><small>${row.synced ? text.synced : text.device}</small>`,
      },
      { head: text.added, wide: true, cell: row => format.at(row.created_at) },
      { head: text.used, wide: true, cell: row => (row.last_used_at ? format.at(row.last_used_at) : '—') },
      {
        head: html`<span class="sr">${text.remove}</span>`,
        end: true,
        cell: row =>
          count === 1
            ? nothing
            : html`<button class="btn small" aria-label=${text.removeOf(row.name)} @click=${() => void this.removePasskey(row)}>${text.remove}</button>`,
      },
    ]
  }

  private async add(): Promise<void> {
    const { api } = this.console
    await confirm({
      title: text.add,
      body: html`<p>${text.addLead}</p>`,
      action: words.sign.create,
      signedInRecently: this.console,
      fields: html`<label class="field"
        ><span>${text.name}</span><input class="input" name="passkey_name" required maxlength="100" autocomplete="off"
      /></label>`,
      run: async values => {
        const paths = { options: '/console/account/passkeys/options', add: '/console/account/passkeys' }
        const body = { passkey_name: String(values.get('passkey_name')).trim() }
        await createPasskey(api, paths, body).catch(error => {
          throw new Failure('refused', { message: passkeyProblem(error) })
        })
        this.console.say(text.done)
      },
    })
    this.refresh()
  }

  private async removePasskey({ id, name }: Passkey): Promise<void> {
    const { api } = this.console
    await confirm({
      title: text.removeOf(name),
      body: html`<p>${text.removeLead}</p>`,
      action: text.remove,
      danger: true,
      run: async () => void (await api.send('POST', `/console/account/passkeys/${id}/remove`)),
    })
    this.refresh()
  }

  private async end({ id }: ConsoleSession): Promise<void> {
    await this.act(words.consoleSessions.ended, () => this.console.api.send('POST', `/console/sessions/${id}/end`))
  }
}
