/** Redirects an account's URL to its holder's page, because accounts have no page of their own. */
import type { Account } from '@causeway/sdk'
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { loadingPage } from '../../parts/page-header.js'
import { words } from '../../words.js'

@customElement('page-account')
export class AccountPage extends Page {
  private readonly account = this.load<Account>()

  override get heading(): string {
    return words.people.title
  }

  protected override render(): TemplateResult {
    const { console } = this
    const id = this.place.params['id'] as string
    this.account.read(id, signal => console.api.get(`/accounts/${id}`, {}, signal))
    const crumb = { text: words.person.crumb, href: '/people', id }
    return (
      loadingPage(console, this.account, {
        crumb,
        title: shortId(id),
        missing: words.person.noAccount(id),
        needs: 'viewer',
      }) ?? html``
    )
  }

  protected override updated(): void {
    super.updated()
    const { value } = this.account
    if (value && this.isConnected) this.console.go(`/people/${value.holder_id}`, true)
  }
}
