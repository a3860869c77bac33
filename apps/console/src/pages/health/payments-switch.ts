/** The switch that stops the payments of all teams, and restarts them. */
import { html, nothing, type TemplateResult } from 'lit'
import type { Console } from '../../page.js'
import { commandLine } from '../../parts/command-line.js'
import { confirm } from '../../parts/dialogs.js'
import { icon } from '../../parts/icons.js'
import type { Health } from '../../shapes.js'
import { words } from '../../words.js'

const { health: text } = words

/** True if only a command can restart the payments. */
const needsCommand = ({ needs, operators }: Health['payments_start']): boolean =>
  needs === 'command' || (needs === 'second_operator' && operators.length === 0)

/** Says what restarting payments needs, before an operator stops or restarts them. */
function startNote(console: Console, start: Health['payments_start']): TemplateResult | typeof nothing {
  const { needs, operators, command } = start
  if (needs === 'nothing') return nothing
  if (!needsCommand(start)) return html`<p>${text.needsOther(operators.join(', '))}</p>`
  return html`<p>${needs === 'command' ? text.needsCommand : text.noOther}</p>
    ${commandLine(console, command)}`
}

/** Renders the button that stops or restarts payments, unless only a command restarts them. */
export function paymentsButton(console: Console, health: Health, done: () => void): TemplateResult | typeof nothing {
  const { payments_stopped, payments_start } = health
  const change = (way: 'stop' | 'start') => () =>
    void switchPayments(console, way, payments_start).then(is => is && done())
  if (payments_stopped === null) return html`<button class="btn danger" @click=${change('stop')}>${text.stop}</button>`
  return needsCommand(payments_start)
    ? nothing
    : html`<button class="btn go" @click=${change('start')}>${text.start}</button>`
}

/** Renders how to restart stopped payments if the console can't. */
export const restartNote = (console: Console, { payments_stopped, payments_start }: Health): unknown =>
  payments_stopped === null || !needsCommand(payments_start)
    ? nothing
    : html`<div class="stale restart" role="status">${icon('hold')}<div>${startNote(console, payments_start)}</div></div>`

/**
 * Stops or restarts payments for all teams, after the operator types a confirmation and a reason.
 * @returns true if it was done
 */
async function switchPayments(
  console: Console,
  way: 'stop' | 'start',
  start: Health['payments_start'],
): Promise<boolean> {
  const stops = way === 'stop'
  const confirmed = stops ? text.stopWord : text.startWord
  const done = await confirm({
    title: stops ? text.stopTitle : text.startTitle,
    body: html`<p>${stops ? text.stopBody : text.startBody}</p>
      ${startNote(console, start)}`,
    action: stops ? text.stop : text.start,
    danger: stops,
    typed: confirmed,
    fields: html`<label class="field"
      ><span>${words.dialog.reason}</span
      ><input class="input" name="reason" autofocus required minlength="3" maxlength="200" autocomplete="off"
    /></label>`,
    run: async (values, { key }) => {
      const reason = String(values.get('reason')).trim()
      await console.api.send(
        'POST',
        `/operator/payments/${way}`,
        { team: 'all', confirm: confirmed, reason },
        key,
        reason,
      )
    },
  })
  if (done) console.say(stops ? text.stopped : text.started)
  return done
}
