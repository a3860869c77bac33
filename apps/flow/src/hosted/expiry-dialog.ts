/** The warning that a session is about to end. */
import { html, render } from 'lit'
import type { FlowApp } from '../app.js'
import { untranslated } from '../parts/untranslated.js'
import { loadStyles } from '../screens/load.js'
import { completeLanguage } from '../words/language.js'

/**
 * Opens the warning. The warning closes when the person responds or when time runs out.
 * @param last true if the session can't be extended
 * @param left returns the remaining time in milliseconds
 */
export async function openExpiryDialog(app: FlowApp, last: boolean, left: () => number): Promise<HTMLDialogElement> {
  const [language] = await Promise.all([completeLanguage(app.language), loadStyles()])
  const { ending } = language.words
  const dialog = app.ownerDocument.createElement('dialog')
  dialog.className = 'ask'
  dialog.setAttribute('role', 'alertdialog')
  dialog.setAttribute('aria-labelledby', 'ending')
  dialog.setAttribute('aria-describedby', 'ending-body')
  const draw = () => {
    const time = language.countdown(Math.max(0, Math.ceil(left() / 1000)))
    render(
      html`<h2 id="ending">${last ? ending.lastTitle : ending.title}</h2>
        <p id="ending-body">${untranslated(last ? ending.lastBody(time) : ending.body(time), time)}</p>
        <button class="cta" type="button" @click=${() => dialog.close()}>${last ? ending.ok : ending.stay}</button>`,
      dialog,
    )
  }
  draw()
  const ticking = setInterval(() => (left() > 0 ? draw() : dialog.close()), 1000)
  dialog.addEventListener('close', () => {
    clearInterval(ticking)
    dialog.remove()
  })
  app.ownerDocument.body.append(dialog)
  dialog.showModal()
  return dialog
}
