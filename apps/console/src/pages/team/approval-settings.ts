/** The card that shows and changes the amount above which payments need a second person. */
import { html, nothing, type TemplateResult } from 'lit'
import { Failure } from '../../api.js'
import type { Load } from '../../load.js'
import type { Console } from '../../page.js'
import { confirm } from '../../parts/dialogs.js'
import { panel } from '../../parts/panel.js'
import { may } from '../../shapes.js'
import { words } from '../../words.js'

const {
  approvals: { settings: text },
} = words

/** In cents; null if nothing needs a second person. */
export interface ApprovalSettings {
  approve_above: number | null
}

/** Reads an amount in dollars. Empty text is null. Throws a Failure. */
export function centsOf(dollars: string): number | null {
  const entered = dollars.trim().replaceAll(',', '')
  if (entered === '') return null
  if (!/^\d{1,9}(?:\.\d{1,2})?$/.test(entered)) throw new Failure('refused', { message: text.wrong })
  return Math.round(Number(entered) * 100)
}

export function approvalSettings(console: Console, load: Load<ApprovalSettings>, saved: () => void): TemplateResult {
  load.read('approvals', signal => console.api.get('/console/approval_settings', {}, signal))
  const change = async ({ approve_above: above }: ApprovalSettings) => {
    const done = await confirm({
      title: text.title,
      body: text.lead,
      action: text.save,
      fields: html`<label class="field"
        ><span>${text.amount}</span
        ><input class="input" name="amount" inputmode="decimal" maxlength="14" autocomplete="off" .value=${above === null ? '' : String(above / 100)}
        /><small>${text.hint}</small></label
      >`,
      run: async (values, { key, reason }) => {
        const body = { approve_above: centsOf(String(values.get('amount'))) }
        await console.api.send('POST', '/console/approval_settings', body, key, reason)
      },
    })
    if (!done) return
    console.say(text.saved)
    saved()
  }
  return panel(console, load, {
    title: text.title,
    needs: 'viewer',
    body: value =>
      html`<p>${text.lead}</p>
        <p><b>${value.approve_above === null ? text.off : text.now(console.format.money(value.approve_above))}</b></p>
        ${
          may(console.session, 'settings')
            ? html`<div class="actions"><button class="btn" type="button" @click=${() => void change(value)}>${text.change}</button></div>`
            : nothing
        }`,
  })
}
