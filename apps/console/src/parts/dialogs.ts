/** Confirmation dialogs. A dialog stays open until the service has responded, and shows any error. */
import { html, nothing, render } from 'lit'
import { Failure, sentenceOf, Waiting } from '../api.js'
import type { Console } from '../page.js'
import { RecentSignIn } from '../shell/recent-sign-in.js'
import { words } from '../words.js'
import { copyButton } from './copy.js'

interface Question {
  title: string
  body: unknown
  action: string
  danger?: boolean
  /** True if only the action closes the dialog, which shows something for the last time. Escape does not close it. */
  final?: boolean
  /** The exact text that the user must type to enable the action. */
  typed?: string
  /** Set if the action needs a recent sign-in. The dialog says so before the user types. */
  signedInRecently?: Console
  /** Additional fields, whose values are passed to `run`. */
  fields?: unknown
  /**
   * Runs the action. If `run` fails, the dialog stays open and shows the error. If a second person must approve the action,
   * the dialog asks for a reason, and runs it again with the reason.
   * @param attempt `key`: the idempotency key of the action, which changes only after the service has refused the action
   */
  run: (values: FormData, attempt: { key: string; reason?: string | undefined }) => Promise<void>
}

/** Notifies the shell that a request was stored, and waits for a second person. */
export class ApprovalAsked extends Event {
  static readonly type = 'approval-asked'
  constructor() {
    super(ApprovalAsked.type)
  }
}

const reasonField = html`<label class="field"
  ><span>${words.approvals.whyNeeded}</span
  ><input class="input" name="approval_reason" required minlength="3" maxlength="200" autocomplete="off"
/></label>`

/** Resolves to true if the action ran, or to false if the user canceled or the action waits for a second person. */
export function confirm({
  title,
  body,
  action,
  danger,
  final,
  typed,
  signedInRecently,
  fields,
  run,
}: Question): Promise<boolean> {
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog'
  dialog.setAttribute('aria-labelledby', 'dialog-title')
  let busy = false
  let failure = ''
  let key: string = crypto.randomUUID()
  let needsReason = false
  let matches = typed === undefined
  return new Promise(resolve => {
    let isOpen = true
    const recent = signedInRecently && new RecentSignIn(signedInRecently, () => isOpen && draw())
    const close = (done: boolean) => {
      isOpen = false
      recent?.end()
      dialog.close()
      dialog.remove()
      resolve(done)
    }
    const submit = async (event: SubmitEvent) => {
      event.preventDefault()
      if (busy || !matches || recent?.isBlocked) return
      const values = new FormData(event.target as HTMLFormElement)
      busy = true
      failure = ''
      draw()
      try {
        await run(values, { key, reason: needsReason ? String(values.get('approval_reason')).trim() : undefined })
        close(true)
      } catch (error) {
        if (error instanceof Waiting) {
          document.dispatchEvent(new ApprovalAsked())
          close(false)
          return
        }
        busy = false
        const isNew = !needsReason && error instanceof Failure && error.needsReason
        needsReason ||= isNew
        // Nothing was done, and the service would repeat its refusal for the same key, whatever the user changes.
        if (!isNew && error instanceof Failure && error.kind === 'refused') key = crypto.randomUUID()
        failure = sentenceOf(error)
        draw()
        void recent?.check()
        if (isNew) dialog.querySelector<HTMLInputElement>('[name="approval_reason"]')?.focus()
      }
    }
    const onType = (event: Event) => {
      matches = (event.target as HTMLInputElement).value.trim() === typed
      draw()
    }
    const draw = () =>
      render(
        html`<form method="dialog" @submit=${submit}>
          <h2 id="dialog-title">${title}</h2>
          <div class="dialog-body">${body}</div>
          ${recent?.draw() ?? nothing}
          ${fields ?? nothing}
          ${
            typed === undefined
              ? nothing
              : html`<label class="field"
                  ><span>${words.dialog.type(typed)}</span
                  ><input class="input" autocomplete="off" autocapitalize="off" spellcheck="false" @input=${onType}
                /></label>`
          }
          ${failure ? html`<p class="${needsReason ? '' : 'bad-text'}" role="alert">${failure}</p>` : nothing}
          ${needsReason ? reasonField : nothing}
          <div class="actions">
            <button class="btn ${danger ? 'danger' : 'go'}" ?disabled=${!matches || recent?.isBlocked === true} aria-busy=${busy ? 'true' : 'false'}>${needsReason ? words.approvals.ask : action}</button>
            ${final ? nothing : html`<button class="btn" type="button" @click=${() => close(false)}>${words.dialog.cancel}</button>`}
          </div>
        </form>`,
        dialog,
      )
    dialog.addEventListener('cancel', event => {
      event.preventDefault()
      if (!busy && !final) close(false)
    })
    // A browser closes a dialog at the second press of Escape, whatever the page prevents.
    dialog.addEventListener('close', () => {
      if (!isOpen) return
      if (busy || final) dialog.showModal()
      else close(false)
    })
    draw()
    document.body.append(dialog)
    dialog.showModal()
  })
}

/** Shows a secret that cannot be shown again, with a button that copies it. */
export const showSecret = async (
  console: Console,
  { title, body, secret }: { title: string; body: string; secret: string },
): Promise<void> => {
  await confirm({
    title,
    body: html`<p>${body}</p>
      <p class="secret"><code>${secret}</code></p>
      ${copyButton(console, secret, words.dialog.copySecret)}`,
    action: words.dialog.stored,
    final: true,
    run: async () => {},
  })
}
