/** The hosted page's screens that aren't part of any step: the start, the end, and the screens for an unusable link. */
import { html, type TemplateResult } from 'lit'

import { icons } from '../parts/icons.js'
import { button, panel, type StateSource } from '../states.js'
import { wordsOf } from './words.js'

/**
 * `begin`: the link is used only when the person presses a button, so that an email scanner can't use it up. `part`:
 * the secret is missing, or the link is unknown. `spent`: the link was already used or has expired. `ended`: the
 * session is over. `left`: the page is redirecting the person to the customer.
 */
export type Stage = 'begin' | 'part' | 'spent' | 'ended' | 'left'

export interface StageOptions {
  stage: Stage
  brand: string
  /** True for the person's own page, which shares nothing new. */
  own: boolean
  /** The URL to redirect the person to, or null if there is none. */
  redirect: string | null
  begin: () => void
  goBack: () => void
}

export function drawStage(
  app: Pick<StateSource, 'language'>,
  { stage, brand, own, redirect, begin, goBack }: StageOptions,
): TemplateResult {
  const words = wordsOf(app.language)
  const { fault } = app.language.words
  const back = redirect && button(words.back(brand), goBack)
  switch (stage) {
    case 'begin':
      return html`<div class="state">
        <span class="badge">${icons.lock()}</span>
        <h1 tabindex="-1">${own ? words.ownTitle(brand) : words.title(brand)}</h1>
        <p>${own ? words.ownLead(brand) : words.lead(brand)}</p>
        ${redirect && html`<p>${words.returns(new URL(redirect).host)}</p>`}
        ${button(words.begin, begin)}
        <p class="fine">${own ? words.ownCaution : words.caution}</p>
      </div>`
    case 'part':
      return panel(icons.alert(), words.partTitle, words.part)
    case 'spent':
      return panel(icons.clock(), words.spentTitle, words.spent(brand), back || undefined)
    case 'ended':
      return panel(icons.clock(), fault.overTitle, words.ended(brand), back || undefined)
    case 'left':
      return redirect
        ? panel(
            icons.check(),
            words.leaving(brand),
            fault.closedBody,
            html`<a class="cta" href=${redirect}>${words.back(brand)}</a>`,
          )
        : panel(icons.check(), fault.closedTitle, fault.closedBody)
  }
}
