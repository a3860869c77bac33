/** "This isn't me": a link on a screen, and the confirmation shown before the flow ends. */
import { html, type TemplateResult } from 'lit'
import type { Words } from '../words/en.js'
import type { Screen, ScreenParts } from './screen.js'

export class NotMe {
  /** True while the confirmation replaces the screen. */
  asking = false
  private readonly screen: Screen<'phone' | 'code'>

  constructor(screen: Screen<'phone' | 'code'>) {
    this.screen = screen
  }

  link({ notMe }: Words): TemplateResult {
    return html`<button class="textlink" id="not-me" type="button" @click=${() => this.turn(true)}>${notMe.link}</button>`
  }

  page({ notMe }: Words, brand: string): ScreenParts {
    return {
      title: notMe.title,
      lead: notMe.lead(brand),
      body: html``,
      action: { label: notMe.action },
      second: html`<button class="second wide" type="button" @click=${() => this.turn(false)}>${notMe.back}</button>`,
    }
  }

  private async turn(asking: boolean): Promise<void> {
    if (this.screen.busy) return
    this.asking = asking
    this.screen.discard()
    this.screen.requestUpdate()
    await this.screen.updateComplete
    this.screen.querySelector<HTMLElement>(asking ? 'h1' : '#not-me')?.focus()
  }
}
