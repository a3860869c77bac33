/** Sending again what has not arrived since a time: it is counted before it is sent. */
import { html, nothing, type TemplateResult } from 'lit'
import { sentenceOf } from '../api.js'
import type { Console } from '../page.js'
import { card } from '../parts/panel.js'
import { words } from '../words.js'
import { instantOf } from './webhook-answer.js'

const { webhook: text } = words

export class SendAgain {
  /** The local time. */
  private since = ''
  private counted: { since: string; count: number } | null = null
  private counting = false
  private readonly redraw: () => void
  private readonly act: (done: string, run: () => Promise<unknown>) => Promise<void>

  /** @param act runs a write and says how it ended */
  constructor(redraw: () => void, act: SendAgain['act']) {
    this.redraw = redraw
    this.act = act
  }

  draw(console: Console, webhook: string): TemplateResult {
    const { format } = console
    const { counted } = this
    return card(
      text.again,
      html`<form class="form" @submit=${(event: SubmitEvent) => void this.count(event, console, webhook)}>
        <label class="field"
          ><span>${text.sinceNote}</span
          ><span class="row"
            ><input class="input" type="datetime-local" required .value=${this.since} @input=${this.onSince} />${format.zoneName}</span
          ></label
        >
        ${
          counted && counted.count > 0
            ? html`<button class="btn go full" type="button" @click=${() => void this.send(console, webhook, counted)}>
                ${text.send(format.count(counted.count))}
              </button>`
            : html`<button class="btn full" aria-busy=${this.counting ? 'true' : 'false'}>${text.count}</button>`
        }
        <p role="status">
          ${counted ? (counted.count > 0 ? text.counted(format.count(counted.count)) : text.noneToSend) : nothing}
        </p>
      </form>`,
    )
  }

  private readonly onSince = (event: Event): void => {
    this.since = (event.target as HTMLInputElement).value
    this.counted = null
    this.redraw()
  }

  private async count(event: SubmitEvent, console: Console, webhook: string): Promise<void> {
    event.preventDefault()
    if (this.counting || !this.since) return
    this.counting = true
    this.redraw()
    const since = instantOf(this.since, console.format.zone)
    try {
      const { queued } = await console.api.send<{ queued: number }>('POST', `/webhooks/${webhook}/redeliver`, {
        since,
        dry_run: true,
      })
      this.counted = { since, count: queued }
    } catch (error) {
      console.say(sentenceOf(error))
    }
    this.counting = false
    this.redraw()
  }

  private async send(
    console: Console,
    webhook: string,
    { since, count }: { since: string; count: number },
  ): Promise<void> {
    await this.act(text.sent(console.format.count(count)), () =>
      console.api.send('POST', `/webhooks/${webhook}/redeliver`, { since }),
    )
    this.counted = null
    this.redraw()
  }
}
