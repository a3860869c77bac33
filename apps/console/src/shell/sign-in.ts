/**
 * The sign-in page. The page exchanges a secret key or an operator's link for a session, and doesn't store the key or
 * the link.
 */
import { html, LitElement, nothing, type TemplateResult } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { type Api, Failure } from '../api.js'
import { words } from '../words.js'

@customElement('console-sign-in')
class ConsoleSignIn extends LitElement {
  @property({ attribute: false }) api!: Api
  @property({ attribute: false }) done: () => void = () => undefined
  /** True if the user's previous session has ended. */
  @property({ attribute: false }) ended = false
  @state() private busy = false
  @state() private failure = ''

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  /** Reads an operator's one-time link. The link's secret is in the URL fragment, which never reaches a server log. */
  override connectedCallback(): void {
    super.connectedCallback()
    const link = /^#link=(clink_\w+)$/.exec(location.hash)?.[1]
    if (!link) return
    history.replaceState(null, '', '/')
    void this.exchange({ link })
  }

  protected override render(): TemplateResult {
    const { sign } = words
    return html`<main class="alone">
      <form class="card sign" @submit=${this.onSubmit}>
        <h1>${sign.title}</h1>
        <p>${this.ended ? sign.ended : sign.lead}</p>
        <label class="field"
          ><span>${sign.key}</span
          ><input class="input" name="key" type="password" autocomplete="off" spellcheck="false" required
        /></label>
        ${this.failure ? html`<p class="bad-text" role="alert">${this.failure}</p>` : nothing}
        <button class="btn go" aria-busy=${this.busy ? 'true' : 'false'}>${this.busy ? sign.working : sign.action}</button>
        <small>${sign.operators}</small>
      </form>
    </main>`
  }

  private readonly onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const key = String(new FormData(form).get('key') ?? '').trim()
    if (!key || this.busy) return
    await this.exchange({ key })
    form.reset()
  }

  private async exchange(secret: { key: string } | { link: string }): Promise<void> {
    this.busy = true
    this.failure = ''
    try {
      await this.api.send('POST', '/session', secret)
      this.done()
    } catch (error) {
      const { sign, panel } = words
      const isKey = 'key' in secret
      const { kind } = error instanceof Failure ? error : new Failure('unavailable')
      if (kind === 'offline' || kind === 'unavailable' || kind === 'limited') this.failure = panel[kind]
      else if (kind === 'signed_out') this.failure = isKey ? sign.rejected : sign.used
      else if (kind === 'forbidden') this.failure = isKey ? sign.scope : sign.address
      else this.failure = panel.refused
    }
    this.busy = false
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
