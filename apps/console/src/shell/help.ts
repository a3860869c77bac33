/** The list of keyboard shortcuts. */
import { html, render } from 'lit'
import { words } from '../words.js'
import { searchKey } from './keys.js'

/** @param single the state of the single-key shortcuts and a function that changes it */
export function showHelp(single: { on: boolean; set: (on: boolean) => void }): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog'
  dialog.setAttribute('aria-labelledby', 'help-title')
  dialog.addEventListener('close', () => dialog.remove())
  render(
    html`<h2 id="help-title">${words.help.title}</h2>
      <dl class="facts">
        ${words.help.keys.map(
          ([keys, text]) =>
            html`<dt>${keys!.replace('{search}', searchKey())}</dt>
              <dd>${text}</dd>`,
        )}
      </dl>
      <label class="pick"
        ><input
          type="checkbox"
          .checked=${single.on}
          @change=${(event: Event) => single.set((event.target as HTMLInputElement).checked)}
        />${words.help.single}</label
      >
      <div class="actions"><button class="btn" @click=${() => dialog.close()}>${words.dialog.close}</button></div>`,
    dialog,
  )
  document.body.append(dialog)
  dialog.showModal()
}
