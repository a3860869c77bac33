/** Shows how many events have gone undelivered since a given time, then resends them. */
import { html, nothing, type TemplateResult } from 'lit'
import { sentenceOf } from '../../api.js'
import type { Console } from '../../page.js'
import { instantOf, localTimeOf } from '../../time.js'
import { words } from '../../words.js'

const { webhook: text } = words

interface ResendOptions {
  webhook: string
  /** The start time to use until the user enters a different one; null if none is known. */
  since: string | null
  /** True if the webhook is disabled and must be enabled before events can be resent. */
  isDisabled: boolean
  /** True if the user's role allows enabling the webhook. */
  mayEnable: boolean
}

export class ResendForm {
  /** The start time as entered, in the selected time zone. */
  private typed: string | null = null
  private counted: { since: string; count: number } | null = null
  private counting = false
  private readonly redraw: () => void
  private readonly act: (done: string, run: () => Promise<true>) => Promise<true | undefined>
  private readonly sent: () => void

  /**
   * @param act runs a write request, announces its outcome, and returns its value unless it failed
   * @param sent is called when deliveries are queued
   */
  constructor(redraw: () => void, act: ResendForm['act'], sent: () => void) {
    this.redraw = redraw
    this.act = act
    this.sent = sent
  }

  /**
   * Renders a form whose single button first counts the deliveries and, when pressed again, sends them. The layout
   * doesn't shift between the two steps.
   */
  draw(console: Console, options: ResendOptions): TemplateResult {
    const { format } = console
    const { counted, counting } = this
    const { isDisabled, mayEnable } = options
    const since = this.startOf(console, options)
    const count = counted?.count ?? 0
    const button =
      count === 0 ? text.count : isDisabled ? text.enableAndSend(format.count(count)) : text.send(format.count(count))
    const isBlocked = isDisabled && !mayEnable
    const status = !counted
      ? text.countedFirst
      : count === 0
        ? text.noneToSend
        : `${text.counted(format.count(count))}${isBlocked ? ` ${text.askToEnable}` : ''}`
    return html`<form class="form again" aria-label=${text.again} @submit=${(event: SubmitEvent) => void this.next(event, console, options)}>
      <label class="field"
        ><span>${text.sinceNote}</span
        ><span class="row"
          ><input class="input" type="datetime-local" required .value=${since} @input=${this.onSince} />${format.zoneName}</span
        ></label
      >
      <button
        class="btn full ${count > 0 ? 'go' : ''}"
        aria-busy=${counting ? 'true' : 'false'}
        aria-disabled=${count > 0 && isBlocked ? 'true' : nothing}
      >
        ${button}
      </button>
      <p role="status">${status}</p>
    </form>`
  }

  /** Returns the start time as entered, or the suggested one, in the selected time zone. */
  private startOf({ format }: Console, { since }: ResendOptions): string {
    return this.typed ?? (since === null ? '' : localTimeOf(since, format.zone))
  }

  private readonly onSince = (event: Event): void => {
    this.typed = (event.target as HTMLInputElement).value
    this.counted = null
    this.redraw()
  }

  private async next(event: SubmitEvent, console: Console, options: ResendOptions): Promise<void> {
    event.preventDefault()
    const since = this.startOf(console, options)
    if (this.counting || !since) return
    const { counted } = this
    if (!counted?.count) await this.count(console, since, options.webhook)
    else if (!options.isDisabled || options.mayEnable) await this.send(console, counted, options)
  }

  private async count(console: Console, local: string, webhook: string): Promise<void> {
    this.counting = true
    this.redraw()
    const since = instantOf(local, console.format.zone)
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
    { api, format }: Console,
    { since, count }: { since: string; count: number },
    { webhook, isDisabled }: ResendOptions,
  ): Promise<void> {
    const number = format.count(count)
    const isSent = await this.act(isDisabled ? text.enabledAndSent(number) : text.sent(number), async () => {
      if (isDisabled) await api.send('PATCH', `/webhooks/${webhook}`, { status: 'active' })
      await api.send('POST', `/webhooks/${webhook}/redeliver`, { since })
      return true
    })
    this.counted = null
    this.redraw()
    if (isSent) this.sent()
  }
}
