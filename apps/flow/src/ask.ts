/** Asks a person who goes back or closes whether they want to leave. Everything stays as it is behind it, with all that was typed. */
import { html, render } from 'lit'
import { completeLanguage, type Language } from './words/language.js'

/** Settles as true where the person leaves. Whatever else closes it, as another press of the way back does, stays. */
export async function askToLeave(document: Document, language: Language): Promise<boolean> {
  const { leave } = (await completeLanguage(language)).words
  const dialog = document.createElement('dialog')
  dialog.className = 'ask'
  dialog.setAttribute('aria-labelledby', 'ask')
  const close = (answer: string) => () => dialog.close(answer)
  render(
    html`<h2 id="ask">${leave.title}</h2>
      <p>${leave.body}</p>
      <button class="cta" type="button" @click=${close('')}>${leave.stay}</button>
      <button class="second wide" type="button" @click=${close('leave')}>${leave.go}</button>`,
    dialog,
  )
  document.body.append(dialog)
  dialog.showModal()
  await new Promise(resolve => dialog.addEventListener('close', resolve, { once: true }))
  dialog.remove()
  return dialog.returnValue === 'leave'
}
