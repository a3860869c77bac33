/** The card that shows a payment as its provider knows it: the ids that the provider's support asks for, and its codes. */
import type { Payment } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import type { Load } from '../../load.js'
import type { Console } from '../../page.js'
import { idWithCopy } from '../../parts/copy.js'
import { type Fact, factList } from '../../parts/fact-list.js'
import { card, panel } from '../../parts/panel.js'
import type { PaymentProvider } from '../../shapes.js'
import { wordOf, words } from '../../words.js'

const { provider: text } = words.payment

/** Renders nothing for a payment without ids and codes, such as one that the sandbox made. */
export function providerCard(
  console: Console,
  { returned_as: back }: Payment,
  load: Load<PaymentProvider>,
): TemplateResult | typeof nothing {
  const returned: Fact[] = back
    ? [
        [text.code, html`<code>${back.code}</code> ${text.codes[back.code] ?? nothing}`],
        [text.returnedAt, console.format.at(back.at)],
        [text.trace, back.trace && html`<span class="id">${back.trace}</span>`],
      ]
    : []
  const { value } = load
  if (value === null && load.failure)
    return panel(console, load, { title: text.title, needs: 'viewer', body: () => nothing })
  const objects = value?.objects ?? []
  if (objects.length === 0 && returned.length === 0) return nothing
  const ids = objects.map(({ kind, external_id }): Fact => [wordOf(text.kinds, kind), idWithCopy(console, external_id)])
  const names = [...new Set(objects.map(({ title }) => title))].join(', ')
  return card(text.title, factList(names ? [text.name, names] : null, ...ids, ...returned))
}
