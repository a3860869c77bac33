/**
 * The sign-in page. It signs in with a passkey, an invitation or, in the sandbox, a secret key or a one-time link, and
 * stores none of them.
 */
import { html, LitElement, nothing, type TemplateResult } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { type Api, Failure } from '../api.js'
import type { Invitation, SignInMethods } from '../shapes.js'
import { words } from '../words.js'
import { createPasskey, passkeyProblem, usePasskey } from './passkeys.js'

const { sign, panel } = words

/** The path to which the OpenID provider sends the browser back. */
const OIDC_PATH = '/sign-in/oidc'

@customElement('console-sign-in')
class ConsoleSignIn extends LitElement {
  @property({ attribute: false }) api!: Api
  @property({ attribute: false }) done: () => void = () => undefined
  /** True if the user's previous session has ended. */
  @property({ attribute: false }) ended = false
  @state() private busy = false
  @state() private failure = ''
  @state() private methods: SignInMethods | null = null
  /** The secret of the invitation in the URL, until it is accepted or refused. */
  @state() private secret: string | null = null
  @state() private invitation: Invitation | null = null

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  /** Reads a secret in the URL fragment, which never reaches a server log. */
  override connectedCallback(): void {
    super.connectedCallback()
    this.api.get<SignInMethods>('/sign-in').then(
      methods => (this.methods = methods),
      () => (this.methods = { passkey: true, key: true, oidc: null }),
    )
    if (location.pathname === OIDC_PATH) {
      const { search } = location
      history.replaceState(null, '', '/')
      void this.finishOidc(search)
      return
    }
    const [, kind, secret] = /^#(link|invitation)=(c(?:link|inv)_\w+)$/.exec(location.hash) ?? []
    if (!secret) return
    history.replaceState(null, '', '/')
    if (kind === 'link') void this.exchange({ link: secret })
    else void this.showInvitation(secret)
  }

  protected override render(): TemplateResult {
    return html`<main class="alone">
      <div class="card sign">${this.secret === null ? this.choices() : this.join()}</div>
    </main>`
  }

  private choices(): TemplateResult {
    const { methods } = this
    return html`<h1>${sign.title}</h1>
      <p>${this.ended ? sign.ended : methods?.key ? sign.lead : methods?.oidc ? sign.leadOidc : sign.leadUsers}</p>
      ${this.problem()}
      <button class="btn go" ?disabled=${this.busy} @click=${() => void this.withPasskey()}>${sign.passkey}</button>
      ${this.oidcButton()}
      ${
        methods?.key
          ? html`<form @submit=${this.onSubmit}>
              <p class="or"><span>${sign.or}</span></p>
              <label class="field"
                ><span>${sign.key}</span
                ><input class="input" name="key" type="password" autocomplete="off" spellcheck="false" required
              /></label>
              <button class="btn" aria-busy=${this.busy ? 'true' : 'false'}>${this.busy ? sign.working : sign.action}</button>
            </form>`
          : nothing
      }
      <small>${methods?.key ? sign.operators : sign.lost}</small>`
  }

  private join(): TemplateResult {
    const { invitation } = this
    if (!invitation)
      return html`<h1>${sign.invited}</h1>
        ${
          this.failure
            ? html`${this.problem()}
              <button class="btn" @click=${this.leave}>${sign.instead}</button>`
            : html`<p aria-busy="true">${sign.working}</p>`
        }`
    return html`<h1>${sign.join(invitation.team.name)}</h1>
      <p>${sign.joinLead(invitation.email, words.roles[invitation.role], invitation.operator)}</p>
      <form @submit=${this.onJoin}>
        <label class="field"
          ><span>${sign.name}</span
          ><input class="input" name="name" autocomplete="name" maxlength="100" required .value=${invitation.name ?? ''}
        /></label>
        ${this.problem()}
        <button class="btn go" aria-busy=${this.busy ? 'true' : 'false'}>${this.busy ? sign.waiting : sign.create}</button>
      </form>
      ${this.oidcButton()}
      <small>${sign.about}</small>`
  }

  private oidcButton(): unknown {
    const { methods, busy } = this
    return methods?.oidc
      ? html`<button class="btn" ?disabled=${busy} @click=${() => void this.beginOidc()}>${sign.oidc(methods.oidc.name)}</button>`
      : nothing
  }

  private problem(): unknown {
    return this.failure ? html`<p class="bad-text" role="alert">${this.failure}</p>` : nothing
  }

  private readonly leave = (): void => {
    this.secret = null
    this.failure = ''
  }

  /** Runs one action at a time. @param explain returns the message for an error */
  private async act(run: () => Promise<unknown>, explain: (error: unknown) => string): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.failure = ''
    try {
      await run()
      return true
    } catch (error) {
      this.failure = explain(error)
      return false
    } finally {
      this.busy = false
    }
  }

  private async withPasskey(): Promise<void> {
    if (await this.act(() => usePasskey(this.api, '/sign-in/passkey'), passkeyProblem)) this.done()
  }

  /** Leaves the console for the OpenID provider, which accepts the invitation if there is one. */
  private async beginOidc(): Promise<void> {
    const body = this.secret === null ? {} : { invitation: this.secret }
    const begin = async () => {
      const { url } = await this.api.send<{ url: string }>('POST', '/sign-in/oidc', body)
      location.assign(url)
    }
    await this.act(begin, passkeyProblem)
  }

  private async finishOidc(search: string): Promise<void> {
    if (await this.act(() => this.api.send('POST', '/sign-in/oidc/finish', { search }), passkeyProblem)) this.done()
  }

  private async showInvitation(secret: string): Promise<void> {
    this.secret = secret
    const show = async () => {
      this.invitation = await this.api.send<Invitation>('POST', '/sign-in/invitation', { invitation: secret })
    }
    await this.act(show, passkeyProblem)
  }

  private readonly onJoin = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const name = String(new FormData(event.target as HTMLFormElement).get('name') ?? '').trim()
    const paths = { options: '/sign-in/invitation/options', add: '/sign-in/invitation/accept' }
    const body = { invitation: this.secret, name }
    if (await this.act(() => createPasskey(this.api, paths, body), passkeyProblem)) this.done()
  }

  private readonly onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const key = String(new FormData(form).get('key') ?? '').trim()
    if (!key) return
    await this.exchange({ key })
    form.reset()
  }

  private async exchange(secret: { key: string } | { link: string }): Promise<void> {
    const isKey = 'key' in secret
    const explain = (error: unknown): string => {
      const { kind } = error instanceof Failure ? error : new Failure('unavailable')
      if (kind === 'offline' || kind === 'unavailable' || kind === 'limited') return panel[kind]
      if (this.methods?.key === false) return sign.users
      if (kind === 'signed_out') return isKey ? sign.rejected : sign.used
      if (kind === 'forbidden') return isKey ? sign.scope : sign.address
      return panel.refused
    }
    if (await this.act(() => this.api.send('POST', '/session', secret), explain)) this.done()
  }
}

/** Renders the whole sign-in page. */
export const signIn = (api: Api, ended: boolean, done: () => void): TemplateResult =>
  html`<console-sign-in .api=${api} .ended=${ended} .done=${done}></console-sign-in>`

declare global {
  interface HTMLElementTagNameMap {
    'console-sign-in': ConsoleSignIn
  }
}
