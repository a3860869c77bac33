/** The users of the team and their sessions, for admins. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { Page } from '../../page.js'
import { copyButton } from '../../parts/copy.js'
import { confirm } from '../../parts/dialogs.js'
import { statusPill } from '../../parts/marks.js'
import { pageHeader } from '../../parts/page-header.js'
import { card, panel } from '../../parts/panel.js'
import { type Column, table } from '../../parts/table.js'
import { type ConsoleSession, type ConsoleUser, type InvitedUser, may, type Role } from '../../shapes.js'
import { words } from '../../words.js'
import { sessionsCard } from './sessions-card.js'

const { users: text } = words
const roles = Object.keys(words.roles) as Role[]

const roleField = (chosen: Role): TemplateResult =>
  html`<label class="field"
    ><span>${text.role}</span
    ><select class="input" name="role">
      ${roles.map(role => html`<option value=${role} ?selected=${role === chosen}>${words.roles[role]}: ${text.roles[role]}</option>`)}
    </select></label
  >`

@customElement('page-users')
export class UsersPage extends Page {
  private readonly users = this.load<{ data: ConsoleUser[] }>()
  private readonly sessions = this.load<{ data: ConsoleSession[] }>()
  /** The latest invitation. Its link is shown once. */
  @state() private invited: InvitedUser | null = null

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, users } = this
    users.read('users', signal => console.api.get('/console/users', {}, signal))
    return html`${pageHeader(console, {
      title: text.title,
      lead: text.lead,
      tools: may(console.session, 'users')
        ? html`<button class="btn go" @click=${() => void this.invite()}>${text.invite}</button>`
        : nothing,
    })}
    ${this.invited ? this.link(this.invited) : nothing}
    ${panel(console, users, {
      title: text.title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs: 'admin',
      empty: ({ data }) => (data.length === 0 ? text.empty : null),
      body: ({ data }) => table({ label: text.title, columns: this.columns, rows: data }),
    })}
    ${sessionsCard(console, this.sessions, { title: text.sessions, end: session => void this.end(session) })}`
  }

  private link({ user, invitation }: InvitedUser): TemplateResult {
    const { console } = this
    return card(
      text.linkTitle,
      html`<p>${text.linkLead(user.email, console.format.text(invitation.expires_at, 'moment'))}</p>
        <label class="field"
          ><span>${text.link}</span><input class="input" readonly .value=${invitation.link} @focus=${(event: FocusEvent) => (event.target as HTMLInputElement).select()}
        /></label>
        <div class="actions">${copyButton(console, invitation.link, text.copyLink, 'go')}</div>`,
    )
  }

  private get columns(): Column<ConsoleUser>[] {
    const { format, session } = this.console
    const role = ({ role, operator }: ConsoleUser) => `${words.roles[role]}${operator ? ` · ${words.operator}` : ''}`
    return [
      {
        head: text.user,
        breaks: true,
        cell: row =>
          html`<span>${row.name ?? row.email}${row.current ? ` ${text.you}` : nothing}</span>${row.name ? html`<small>${row.email}</small>` : nothing}<small class="narrow">${role(row)} · ${text.statuses[row.status]}</small>`,
      },
      { head: text.role, wide: true, cell: role },
      {
        head: text.status,
        wide: true,
        cell: row => statusPill(row.status === 'invited' ? 'pending' : row.status, text.statuses[row.status]),
      },
      { head: text.lastSignIn, wide: true, cell: row => (row.signed_in_at ? format.at(row.signed_in_at) : '—') },
      {
        head: html`<span class="sr">${text.change}</span>`,
        end: true,
        cell: row =>
          row.current || (row.operator && !session.user.operator)
            ? nothing
            : html`<button class="btn small" aria-label=${text.changeOf(row.name ?? row.email)} @click=${() => void this.change(row)}>${text.change}</button>`,
      },
    ]
  }

  private async invite(): Promise<void> {
    const { api, session } = this.console
    await confirm({
      title: text.invite,
      body: html`<p>${text.inviteLead}</p>`,
      action: text.createLink,
      fields: html`<label class="field"
          ><span>${text.email}</span><input class="input" type="email" name="email" required maxlength="254" autocomplete="off"
        /></label>
        ${roleField('viewer')}
        ${
          session.user.operator
            ? html`<label class="check"><input type="checkbox" name="operator" /> <span>${text.operator}</span></label>`
            : nothing
        }`,
      run: async values => {
        const operator = values.has('operator')
        this.invited = await api.send<InvitedUser>('POST', '/console/users', {
          email: String(values.get('email')).trim(),
          role: operator ? 'admin' : values.get('role'),
          ...(operator && { operator }),
        })
      },
    })
    this.refresh()
  }

  /** Asks what to change about a user: the role, the status, or the passkeys. */
  private async change(user: ConsoleUser): Promise<void> {
    const { api } = this.console
    const path = `/console/users/${user.id}`
    const isDisabled = user.status === 'disabled'
    const choice = (value: string, label: string, isChosen = false) =>
      html`<label class="check"><input type="radio" name="change" value=${value} ?checked=${isChosen} /> <span>${label}</span></label>`
    await confirm({
      title: text.changeOf(user.name ?? user.email),
      body: nothing,
      action: text.save,
      fields: html`<fieldset class="choices">
          <legend class="sr">${text.change}</legend>
          ${user.operator ? nothing : choice('role', text.changeRole, true)}
          ${choice('invitation', user.status === 'invited' ? text.newLink : text.recover, user.operator)}
          ${choice('status', isDisabled ? text.enable : text.disable)}
        </fieldset>
        ${user.operator ? nothing : roleField(user.role)}`,
      run: async values => {
        const change = values.get('change')
        if (change === 'invitation') this.invited = await api.send<InvitedUser>('POST', `${path}/invitation`)
        else if (change === 'status') await api.send('POST', path, { status: isDisabled ? 'active' : 'disabled' })
        else await api.send('POST', path, { role: values.get('role') })
        this.console.say(text.saved)
      },
    })
    this.refresh()
  }

  private async end({ id }: ConsoleSession): Promise<void> {
    await this.act(words.consoleSessions.ended, () => this.console.api.send('POST', `/console/sessions/${id}/end`))
  }
}
