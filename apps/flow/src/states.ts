/** The states that have no step: opening, failed, over, refused, closed, and a screen that did not load. */
import { html, nothing, type TemplateResult } from 'lit'
import type { FlowApp } from './app.js'
import type { Phase } from './machine.js'
import { icons } from './parts/icons.js'

export function drawState(phase: Phase | 'lost', app: FlowApp): TemplateResult {
  const { fault: words, app: common } = app.language.words
  const { fault } = app.state
  const retry = button(common.retry, app.retry)
  switch (phase) {
    case 'opening':
      if (!fault) return skeleton(common.loading)
      return fault.kind === 'offline'
        ? panel(icons.offline(), words.startTitle, words.startOffline, retry)
        : panel(icons.alert(), words.startTitle, words.startUnavailable, retry)
    case 'over':
      return fault
        ? panel(icons.clock(), words.overTitle, words.overSpent, button(common.close, app.close))
        : panel(icons.clock(), words.overTitle, words.overBody, button(words.overAction, app.retry))
    case 'refused':
      return panel(icons.shield(), words.refusedTitle, refusal(app))
    case 'lost':
      return panel(icons.offline(), words.startTitle, words.screen, retry)
    default:
      return panel(icons.check(), words.closedTitle, words.closedBody)
  }
}

function refusal(app: FlowApp): string {
  const { fault } = app.language.words
  if (app.refused === 'no_parent') return fault.refusedAlone
  return app.state.fault && app.state.fault.sub_type !== 'ORIGIN_NOT_ALLOWED'
    ? fault.refusedConfig
    : fault.refusedOrigin
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
const skeleton = (label: string) =>
  html`<div class="body waits" role="status">
    <h1 class="sr">${label}</h1>
    <div class="bone title"></div>
    <div class="bone text"></div>
    <div class="bone text short"></div>
    ${[0, 1, 2].map(() => html`<div class="bone-point"><i class="bone"></i><i class="bone"></i></div>`)}
  </div>`
