/**
 * Asks for confirmation when a person would leave the flow by going back or closing it. The screen behind the dialog
 * keeps everything that the person entered.
 */
import { html, render } from 'lit'
import { loadStyles } from './screens/load.js'
import { completeLanguage, type Language } from './words/language.js'

/**
 * Resolves to true if the person chooses to leave. Closing the dialog in any other way, such as by going back again,
 * counts as staying.
 */
export async function askToLeave(document: Document, language: Language): Promise<boolean> {
  const [{ words }] = await Promise.all([completeLanguage(language), loadStyles()])
  const { leave } = words
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
