/** The states that have no step: opening, failed, over, refused, closed, and a screen that did not load. */
import { html, nothing, type TemplateResult } from 'lit'
import type { Phase, State } from './machine.js'
import { icons } from './parts/icons.js'
import type { Language } from './words/language.js'

/** The data and functions of a state's screen, which the app provides. */
export interface StateSource {
  readonly language: Language
  readonly state: State
  readonly refused: 'no_parent' | 'not_allowed' | null
  readonly retry: () => void
  readonly close: () => void
  /** Returns true if the text of every screen is loaded. Otherwise, loads it. */
  hasAllWords(): boolean
}

/** Renders a state. Returns null if the state's text is still loading. */
export function drawState(phase: Phase | 'lost', app: StateSource): TemplateResult | null {
  const { fault: words, app: common } = app.language.words
  const { fault } = app.state
  const retry = button(common.retry, app.retry)
  switch (phase) {
    case 'opening':
      if (!fault) return skeleton(common.loading)
      return fault.kind === 'offline'
        ? panel(icons.offline(), words.startTitle, words.startOffline, retry)
        : panel(icons.alert(), words.startTitle, words.startUnavailable, retry)
    case 'lost':
      return panel(icons.offline(), words.startTitle, words.screen, retry)
    case 'closed':
      return panel(icons.check(), words.closedTitle, words.closedBody)
    default:
      // A session rarely reaches these states, so their text does not load with the first screen.
      return app.hasAllWords() ? drawEnd(phase, app) : null
  }
}

function drawEnd(phase: Phase, app: StateSource): TemplateResult {
  const { fault, over, refused, app: common } = app.language.words
  if (phase === 'refused') return panel(icons.shield(), refused.title, refusal(app))
  return app.state.fault
    ? panel(icons.clock(), fault.overTitle, over.spent, button(common.close, app.close))
    : panel(icons.clock(), fault.overTitle, over.body, button(over.action, app.retry))
}

function refusal(app: StateSource): string {
  const { refused } = app.language.words
  if (app.refused === 'no_parent') return refused.alone
  return app.state.fault && app.state.fault.sub_type !== 'ORIGIN_NOT_ALLOWED' ? refused.config : refused.origin
}

export const button = (label: string, act: () => void) =>
  html`<button class="cta" type="button" @click=${act}>${label}</button>`

export const panel = (
  icon: TemplateResult,
  title: string,
  text: string,
  action: TemplateResult | typeof nothing = nothing,
) =>
  html`<div class="state">
    <span class="badge">${icon}</span>
    <h1 tabindex="-1">${title}</h1>
    <p role="status">${text}</p>
    ${action}
  </div>`

/** Renders a placeholder in the shape of the first screen so that the layout does not shift when the screen appears. */
export const skeleton = (label: string) =>
  html`<div class="body waits" role="status">
    <h1 class="sr">${label}</h1>
    <div class="bone title"></div>
    <div class="bone text"></div>
    <div class="bone text short"></div>
    ${[0, 1, 2].map(() => html`<div class="bone-point"><i class="bone"></i><i class="bone"></i></div>`)}
  </div>`
