/** The summary at the top of each resource's page: the reason for its state, and what to do. */
import { html, nothing, type TemplateResult } from 'lit'
import type { Console } from '../page.js'
import { words } from '../words.js'
import { copyButton } from './copy.js'

export interface Answer {
  tone: 'warn' | 'bad' | 'good' | 'calm'
  title: string
  /** Labeled sentences. Empty ones are omitted. */
  points: [name: string, sentence: string, code?: string][]
  /** Content shown before the "Copy this summary" button, such as other buttons. */
  actions?: unknown
}

/** Returns the summary as plain text. The text contains codes, amounts and account names, but no personal data. */
export const answerText = ({ title, points }: Answer): string =>
  [
    title,
    ...points
      .filter(([, sentence]) => sentence)
      .map(([name, sentence, code]) => `${name}: ${sentence}${code ? ` (${code})` : ''}`),
  ].join('\n')

export const answerPanel = (console: Console, answer: Answer): TemplateResult =>
  html`<section class="answer ${answer.tone}" aria-label=${answer.title}>
    <h2>${answer.title}</h2>
    ${
      answer.points.length === 0
        ? nothing
        : html`<dl>
            ${answer.points.map(([name, sentence, code]) =>
              sentence || code
                ? html`<dt>${name}</dt>
                    <dd>${sentence} ${code ? html`<span class="id">${code}</span>` : nothing}</dd>`
                : nothing,
            )}
          </dl>`
    }
    <div class="actions">${answer.actions ?? nothing}${copyButton(console, answerText(answer), words.copy.answer)}</div>
  </section>`
