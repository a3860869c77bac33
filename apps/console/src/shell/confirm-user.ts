/** The screen on which an admin or operator presents a second factor, before any page loads. */
import { html, LitElement, nothing, type TemplateResult } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { Api } from '../api.js'
import type { ConsoleAccount } from '../shapes.js'
import { words } from '../words.js'
import { createPasskey, passkeyProblem, usePasskey } from './passkeys.js'

const { confirmUser: text } = words

@customElement('console-confirm-user')
class ConfirmUser extends LitElement {
  @property({ attribute: false }) api!: Api
  @property({ attribute: false }) done: () => void = () => undefined
  @property({ attribute: false }) signOut: () => void = () => undefined
  @state() private hasPasskey: boolean | null = null
  @state() private busy = false
  @state() private failure = ''

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.api.get<ConsoleAccount>('/console/account').then(
      ({ passkeys }) => (this.hasPasskey = passkeys.length > 0),
      error => (this.failure = passkeyProblem(error)),
    )
  }

  protected override render(): TemplateResult {
    const { hasPasskey } = this
    return html`<main class="alone">
      <div class="card sign">
        <h1>${text.title}</h1>
        <p>${hasPasskey === false ? text.first : text.lead}</p>
        ${this.failure ? html`<p class="bad-text" role="alert">${this.failure}</p>` : nothing}
        <button class="btn go" ?disabled=${hasPasskey === null} aria-busy=${this.busy ? 'true' : 'false'} @click=${this.confirm}>
          ${hasPasskey === false ? words.sign.create : words.sign.passkey}
        </button>
        <button class="btn" @click=${() => this.signOut()}>${words.signOut}</button>
        <small>${text.lost}</small>
      </div>
    </main>`
  }

  private readonly confirm = async (): Promise<void> => {
    if (this.busy) return
    this.busy = true
    this.failure = ''
    try {
      if (this.hasPasskey === false) {
        await createPasskey(this.api, {
          options: '/console/account/passkeys/options',
          add: '/console/account/passkeys',
        })
        this.hasPasskey = true
      }
      await usePasskey(this.api, '/session/passkey')
      this.done()
    } catch (error) {
      this.failure = passkeyProblem(error)
    }
    this.busy = false
  }
}

/** Renders the whole screen. */
export const confirmUser = (api: Api, done: () => void, signOut: () => void): TemplateResult =>
  html`<console-confirm-user .api=${api} .done=${done} .signOut=${signOut}></console-confirm-user>`

declare global {
  interface HTMLElementTagNameMap {
    'console-confirm-user': ConfirmUser
  }
}
