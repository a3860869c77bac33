/** What a dialog asks of a user before an action that needs a recent sign-in. */
import { html, nothing, type TemplateResult } from 'lit'
import { type Api, Failure, sentenceOf } from '../api.js'
import type { Console } from '../page.js'
import { icon } from '../parts/icons.js'
import type { Session } from '../shapes.js'
import { words } from '../words.js'

const { recentSignIn: text } = words

type Need = 'nothing' | 'passkey' | 'sign_in'

/** Returns what the service would ask for now. */
function needOf({ recent_sign_in: recent }: Pick<Session, 'recent_sign_in'>, now: number): Need {
  if (recent === null || now <= Date.parse(recent.until)) return 'nothing'
  return recent.has_passkey ? 'passkey' : 'sign_in'
}

export class RecentSignIn {
  private readonly api: Api
  private readonly redraw: () => void
  private need: Need
  private hasSignedIn = false
  private failure = ''

  constructor({ api, session }: Console, redraw: () => void) {
    this.api = api
    this.redraw = redraw
    this.need = needOf(session, api.now())
    window.addEventListener('focus', this.check)
    document.addEventListener('visibilitychange', this.check)
    // A passkey may have replaced the session that the page knows.
    if (this.need !== 'nothing') void this.check()
  }

  /** True if the service would refuse the action until the user signs in again. */
  get isBlocked(): boolean {
    return this.need === 'sign_in'
  }

  /** Reads the session again, such as after the user signed in in another tab. */
  readonly check = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return
    try {
      const before = this.need
      this.need = needOf(await this.api.get<Session>('/session'), this.api.now())
      this.hasSignedIn ||= before === 'sign_in' && this.need === 'nothing'
      if (this.need === 'nothing') this.failure = ''
    } catch {
      // The action itself shows the error.
    }
    this.redraw()
  }

  end(): void {
    window.removeEventListener('focus', this.check)
    document.removeEventListener('visibilitychange', this.check)
  }

  /** Signs in again in another tab, so that this page keeps what the user typed. */
  private readonly begin = async (): Promise<void> => {
    // Opened before the request, because a browser allows it only in response to a click.
    const tab = window.open('', '_blank')
    try {
      if (!tab) throw new Failure('refused', { message: text.blocked })
      const { url } = await this.api.send<{ url: string }>('POST', '/sign-in/oidc')
      tab.location.href = url
    } catch (error) {
      tab?.close()
      this.failure = sentenceOf(error)
      this.redraw()
    }
  }

  draw(): TemplateResult | typeof nothing {
    if (this.need === 'passkey') return note(text.passkey)
    if (this.need === 'nothing') return this.hasSignedIn ? note(text.done) : nothing
    return html`${note(text.signIn)}
      ${this.failure ? html`<p class="bad-text" role="alert">${this.failure}</p>` : nothing}
      <div class="actions"><button class="btn" type="button" @click=${this.begin}>${text.action}</button></div>`
  }
}

const note = (content: string): TemplateResult =>
  html`<p class="dialog-note" role="status">${icon('alert')}<span>${content}</span></p>`
