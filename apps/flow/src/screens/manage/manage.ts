/**
 * The person's own page: what they share with the customer and since when, their receipts, and a way to stop sharing.
 */
import type { LinkedInstitution, Sharing, StepData, StepError } from '@causeway/contract/session'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { accountLogo, institutionLogo, accountTitle as nameOf, typeNameOf } from '../../parts/account.js'
import { icons } from '../../parts/icons.js'
import { legal } from '../../parts/legal.js'
import { Announcement, DownloadRequest, ExitRequest } from '../../requests.js'
import type { DocumentTexts } from '../../words/documents.js'
import { languageName } from '../done/receipt.js'
import { Screen, type ScreenParts } from '../screen.js'

type Account = StepData['manage']['hidden'][number]

@customElement('screen-manage')
export class ManageScreen extends Screen<'manage'> {
  /**
   * The account that the person is about to stop sharing, or `all`; null unless the confirmation is shown in place of
   * the page.
   */
  @state() private stopping: Account | 'all' | null = null
  /** The institution that the person is about to disconnect, in place of the page. */
  @state() private disconnecting: LinkedInstitution | null = null
  /** The account that the person asked to share, until the service responds. */
  private starting: Account | null = null
  @state() private download: 'idle' | 'busy' | 'failed' = 'idle'
  @state() private texts: DocumentTexts | null = null

  protected override explain({ code }: StepError): string | null {
    return code === 'payment_in_progress' ? this.words.manage.inProgress : null
  }

  /** Closes the confirmation, and announces the change, once the service has responded. */
  protected override willUpdate(properties: PropertyValues): void {
    super.willUpdate(properties)
    const before = properties.get('view') as typeof this.view | undefined
    if (!before || before.revision === this.view.revision) return
    const { stopping, starting, disconnecting } = this
    this.stopping = null
    this.starting = null
    this.disconnecting = null
    if (disconnecting !== null) {
      if (this.view.errors.length === 0) {
        this.dispatchEvent(new Announcement(this.words.manage.disconnected(disconnecting.name)))
        void this.focusOn('h1')
      }
      return
    }
    const changed = starting ?? stopping
    if (changed === null || changed === 'all' || this.view.errors.length > 0) return
    const { started, stopped } = this.words.manage
    this.dispatchEvent(new Announcement((starting ? started : stopped)(this.plainName(changed))))
    void this.focusOn('h1')
  }

  protected override act(): void {
    if (this.disconnecting !== null) this.ask({ action: 'disconnect', institution: this.disconnecting.id })
    else if (this.stopping === null) this.dispatchEvent(new ExitRequest())
    else if (this.stopping === 'all') this.ask({ action: 'withdraw_all' })
    else this.ask({ action: 'withdraw', account: this.stopping.id })
  }

  protected override page(): ScreenParts {
    const { app, manage, done } = this.words
    const brand = this.view.brand.name
    if (this.stopping !== null) return this.confirmation(this.stopping)
    if (this.disconnecting !== null) return this.disconnection(this.disconnecting)
    return {
      title: app.titleOwn(brand),
      lead: manage.lead(brand),
      body: html`${this.person()} ${this.accounts()} ${this.institutions()} ${this.hiddenAccounts()} ${this.withdrawn()}
        ${this.receipts()}
        <section class="stack">
          <h2>${manage.copyTitle}</h2>
          <p class="hint">${manage.copy(brand)}</p>
          <div class="links">
            <button class="textlink" type="button" aria-disabled=${this.download === 'busy'} @click=${this.save}>
              ${icons.print()}${this.download === 'busy' ? manage.downloading : manage.download}
            </button>
          </div>
          <div role="alert">
            ${this.download === 'failed' ? html`<p class="msg">${icons.alert()}<span>${manage.downloadFailed}</span></p>` : nothing}
          </div>
          <div class="links">
            <button class="textlink" id="stop-all" type="button" @click=${() => this.turn('all')}>
              ${icons.close()}${manage.stopAll}
            </button>
          </div>
        </section>`,
      action: { label: done.action },
      trust: manage.trust(brand),
    }
  }

  private confirmation(what: Account | 'all'): ScreenParts {
    const { manage } = this.words
    const brand = this.view.brand.name
    const all = what === 'all'
    const effects = all
      ? [manage.lossAll(brand), manage.deletedAll, manage.copies(brand), manage.undoAll]
      : [manage.lossOne(brand), manage.copies(brand), manage.undoOne]
    return {
      title: all ? manage.confirmAllTitle(brand) : manage.confirmTitle(this.plainName(what)),
      body: html`<ul class="bullets">${effects.map(text => html`<li>${text}</li>`)}</ul>`,
      action: { label: all ? manage.stopAll : manage.stop, look: 'danger' },
      second: html`<button class="second wide" type="button" @click=${() => this.turn(null)}>${manage.keep}</button>`,
    }
  }

  private disconnection({ name }: LinkedInstitution): ScreenParts {
    const { manage } = this.words
    const brand = this.view.brand.name
    const effects = [manage.lossUpdates, manage.keptShared(brand), manage.undoDisconnect]
    return {
      title: manage.disconnectTitle(name),
      body: html`<ul class="bullets">${effects.map(text => html`<li>${text}</li>`)}</ul>`,
      action: { label: manage.disconnect, look: 'danger' },
      second: html`<button class="second wide" type="button" @click=${() => this.turnTo(null)}>
        ${manage.keepConnected}
      </button>`,
    }
  }

  private institutions(): TemplateResult | typeof nothing {
    const { manage, link } = this.words
    const { institutions } = this.view.data
    if (institutions.length === 0) return nothing
    return html`<section class="stack">
      <h2>${manage.institutionsTitle}</h2>
      <ul class="rows shared">
        ${institutions.map(
          institution => html`<li class="row">
            ${institutionLogo(institution.name)}<span
              ><span class="row-name" translate="no">${institution.name}</span
              ><span class="row-meta">${institution.status === 'repair' ? manage.repair : link.ok}</span>
              <button
                class="textlink"
                id=${idOf(institution)}
                type="button"
                aria-label=${manage.disconnectOf(institution.name)}
                @click=${() => this.turnTo(institution)}
              >
                ${manage.disconnect}
              </button></span
            >
          </li>`,
        )}
      </ul>
    </section>`
  }

  private async turnTo(institution: LinkedInstitution | null): Promise<void> {
    if (this.busy) return
    const before = this.disconnecting
    this.errors = {}
    this.disconnecting = institution
    this.discard()
    await this.focusOn(institution === null && before !== null ? `#${idOf(before)}` : 'h1')
  }

  private person(): TemplateResult {
    const { manage } = this.words
    const { person, future_since } = this.view.data
    return html`<section class="stack">
      <h2>${manage.personTitle}</h2>
      <ul class="rows shared">
        <li class="row"><span>${this.sharing(person, manage.personDetails)}</span></li>
      </ul>
      ${future_since ? html`<p class="hint">${manage.future(this.language.date(future_since))}</p>` : nothing}
    </section>`
  }

  private accounts(): TemplateResult {
    const { manage } = this.words
    const { accounts } = this.view.data
    return html`<section class="stack">
      <h2>${manage.accountsTitle}</h2>
      ${
        accounts.length === 0
          ? html`<p class="hint">${manage.accountsNone(this.view.brand.name)}</p>`
          : html`<ul class="rows shared">
              ${accounts.map(
                account => html`<li class="row">
                  ${accountLogo(account)}<span
                    >${nameOf(account, this.language)}${this.sharing(account, manage.accountDetails)}
                    <button
                      class="textlink"
                      id=${account.id}
                      type="button"
                      aria-label=${manage.stopOf(this.plainName(account))}
                      @click=${() => this.turn(account)}
                    >
                      ${manage.stop}
                    </button></span
                  >
                </li>`,
              )}
            </ul>`
      }
    </section>`
  }

  /** Renders lines that say what is shared, which parts are sent automatically, and when sharing began. */
  private sharing({ data, updated, since }: Sharing, first: string): TemplateResult {
    const { manage } = this.words
    const all = this.language.list([first, ...data.map(each => manage.data[each])])
    return html`<span class="row-meta">${all}</span>
      ${
        updated.length === 0
          ? nothing
          : html`<span class="row-meta">${manage.updated(this.language.list(updated.map(each => manage.data[each])))}</span>`
      }
      <span class="row-meta">${manage.since(this.language.date(since))}</span>`
  }

  private hiddenAccounts(): TemplateResult | typeof nothing {
    const { manage } = this.words
    const { hidden } = this.view.data
    if (hidden.length === 0) return nothing
    return html`<section class="stack">
      <h2>${manage.hiddenTitle}</h2>
      <ul class="rows shared">
        ${hidden.map(
          account => html`<li class="row">
            ${accountLogo(account)}<span
              >${nameOf(account, this.language)}
              <button
                class="textlink"
                id=${account.id}
                type="button"
                aria-label=${manage.shareOf(this.plainName(account))}
                @click=${() => this.share(account)}
              >
                ${manage.share}
              </button></span
            >
          </li>`,
        )}
      </ul>
    </section>`
  }

  private share(account: Account): void {
    if (this.busy) return
    this.errors = {}
    this.starting = account
    this.ask({ action: 'share', account: account.id })
  }

  private withdrawn(): TemplateResult | typeof nothing {
    const { manage } = this.words
    const { withdrawn } = this.view.data
    if (withdrawn.length === 0) return nothing
    return html`<section class="stack">
      <h2>${manage.withdrawnTitle}</h2>
      <ul class="bullets">
        ${withdrawn.map(({ at }) => html`<li>${manage.withdrawn(this.language.date(at))}</li>`)}
      </ul>
    </section>`
  }

  private receipts(): TemplateResult {
    const { manage, consent } = this.words
    const { receipts } = this.view.data
    return html`<section class="stack">
      <h2>${manage.receiptsTitle}</h2>
      ${
        receipts.length === 0
          ? html`<p class="hint">${manage.receiptsNone}</p>`
          : html`<div class="papers">${receipts.map(each => this.receipt(each))}</div>
              ${consent.documentsIn ? html`<p class="hint">${consent.documentsIn}</p>` : nothing}`
      }
    </section>`
  }

  private receipt({
    id,
    version,
    locale,
    shares,
    at,
    recipients,
  }: StepData['manage']['receipts'][number]): TemplateResult {
    const { consent, documents, receipt } = this.words
    const name = documents[id as keyof typeof documents] ?? documents.other
    const when = this.language.date(at)
    return html`<details class="more" @toggle=${this.onOpen}>
      <summary><span>${name} · ${when}</span>${icons.down()}</summary>
      <div class="paper">
        <p>${receipt.agreed(version, `${when}, ${this.language.time(at)}`, languageName(locale, this.language.locale))}</p>
        ${
          this.texts
            ? legal(this.texts({ id, version, shares }, { brand: this.view.brand, recipients }), this.words)
            : html`<p>${consent.documentLoading}</p>`
        }
      </div>
    </details>`
  }

  private plainName(account: Account): string {
    const { selection } = this.words
    const name = account.name || typeNameOf(account, this.language)
    return account.mask === null ? name : `${name} ${selection.maskSpoken(account.mask)}`
  }

  private async turn(what: Account | 'all' | null): Promise<void> {
    if (this.busy) return
    const before = this.stopping
    this.errors = {}
    this.stopping = what
    this.discard()
    await this.focusOn(what !== null ? 'h1' : before === 'all' || before === null ? '#stop-all' : `#${before.id}`)
  }

  private async focusOn(selector: string): Promise<void> {
    await this.updateComplete
    this.querySelector<HTMLElement>(selector)?.focus()
  }

  private readonly save = (): void => {
    if (this.download === 'busy') return
    this.download = 'busy'
    this.dispatchEvent(
      new DownloadRequest(outcome => {
        this.download = outcome.ok ? 'idle' : 'failed'
        if (!outcome.ok) return
        saveFile(outcome.value)
        this.dispatchEvent(new Announcement(this.words.manage.downloaded))
      }),
    )
  }

  private readonly onOpen = async (): Promise<void> => {
    if (this.texts) return
    const { loadDocuments } = await import('../../words/documents.js')
    this.texts = await loadDocuments(this.language)
  }
}

/** The id of an institution's button. An element's id can't begin with a digit in a selector. */
const idOf = ({ id }: LinkedInstitution): string => `institution-${id}`

/** Saves data as a file without putting a bearer token or personal data in a URL. */
function saveFile(data: unknown): void {
  const href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href, download: 'my-data.json' }).click()
  // Revoke the URL later, because the browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
