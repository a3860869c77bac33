/** Multiple-choice questions that only the person can answer. */
import type { Question, StepError } from '@causeway/contract/session'
import { html, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { ifDefined } from 'lit/directives/if-defined.js'
import { live } from 'lit/directives/live.js'
import { attemptsLeftNote } from '../../parts/attempts-left.js'
import { message } from '../../parts/field.js'
import { type Errors, Screen, type ScreenParts } from '../screen.js'

@customElement('screen-questions')
export class QuestionsScreen extends Screen<'questions'> {
  @state() private chosen: Record<string, string> = {}

  protected override subject(): string {
    return this.view.data.questions.map(question => question.id).join()
  }

  protected override begin(): void {
    this.chosen = {}
  }

  protected override explain(error: StepError): string | null {
    const { questions } = this.words
    if (error.code === 'required') return questions.need
    if (error.code !== 'incorrect') return null
    return questions.incorrect(Number(error.values['tries_left'] ?? this.view.data.tries_left))
  }

  protected override owns(field: string): boolean {
    return this.view.data.questions.some(question => question.id === field)
  }

  protected override act(): void {
    const errors: Errors = {}
    for (const { id } of this.view.data.questions) if (!this.chosen[id]) errors[id] = this.words.questions.need
    this.submit(errors, () => ({
      action: 'answer',
      answers: this.view.data.questions.map(({ id }) => ({ question_id: id, answer_id: this.chosen[id] ?? '' })),
    }))
  }

  protected override page(): ScreenParts {
    const { questions: words } = this.words
    const { questions, tries_left } = this.view.data
    return {
      title: words.title,
      lead: words.lead(questions.length),
      body: html`${questions.map((question, i) => this.question(question, i))}
        <p class="note"><strong>${words.whyTitle}</strong> ${words.why}</p>`,
      action: { label: words.action },
      trust: attemptsLeftNote(tries_left, words.trust, this.words),
    }
  }

  /** Renders a question. Answers with digits are addresses, amounts and years, which a translation must not change. */
  private question(question: Question, index: number): TemplateResult {
    const { id, text, answers } = question
    const error = this.errors[id]
    const count = this.view.data.questions.length
    return html`<fieldset class="set ${error ? 'bad' : ''}" aria-describedby=${ifDefined(error ? `${id}-error` : undefined)}>
      <legend>${count > 1 ? html`<small>${this.words.questions.group(index + 1, count)}</small>` : ''}<bdi>${text}</bdi></legend>
      <div class="choices">
        ${answers.map(
          answer => html`<label class="choice ${this.chosen[id] === answer.id ? 'on' : ''}">
            <input
              class="pick"
              type="radio"
              name=${id}
              value=${answer.id}
              aria-invalid=${ifDefined(error ? 'true' : undefined)}
              .checked=${live(this.chosen[id] === answer.id)}
              @change=${() => this.choose(id, answer.id)}
            />
            <bdi translate=${/\d/.test(answer.text) ? 'no' : 'yes'}>${answer.text}</bdi>
          </label>`,
        )}
      </div>
      ${message(id, error)}
    </fieldset>`
  }

  private choose(question: string, answer: string): void {
    this.chosen = { ...this.chosen, [question]: answer }
    this.clear(question)
    this.clear('')
  }
}
