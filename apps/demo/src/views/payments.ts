import type { Payment } from '@causeway/sdk'
import { html } from 'hono/html'
import { type Debt, nameOf } from '../debts.js'
import { isLost } from '../network.js'
import { day, money } from './format.js'
import type { View } from './layout.js'
import { logoOf } from './logo.js'

/** A payment as shown to the borrower. */
interface Standing {
  label: 'On its way' | 'Paid' | 'Not made' | 'Sent back'
  tone: 'busy' | 'good' | 'bad'
  /** Progress: 1 for released, 2 for sent, 3 for arrived. */
  reached: 1 | 2 | 3
  /** A sentence for the borrower about what happens next. */
  next: string
}

function standingOf(payment: Payment | null): Standing {
  const status = payment?.status ?? 'failed'
  if (status === 'failed' || status === 'canceled')
    return {
      label: 'Not made',
      tone: 'bad',
      reached: 1,
      next: "We couldn’t pay this account. Keep making your regular payments on this account. We'll try again or contact you about another way to pay it.",
    }
  if (isLost(payment))
    return {
      label: 'Sent back',
      tone: 'bad',
      reached: 2,
      next: "The account didn’t accept this payment, so the money is on its way back to us. Keep making your regular payments on that account. We'll contact you about the next steps.",
    }
  if (['posted', 'cashed', 'settled'].includes(status))
    return {
      label: 'Paid',
      tone: 'good',
      reached: 3,
      next: 'The account received the payment. It will appear on your next statement.',
    }
  const expected = payment?.estimated_completion_date
  const arrival = expected ? ` It should arrive by ${day(expected)}.` : ''
  return status === 'pending'
    ? { label: 'On its way', tone: 'busy', reached: 1, next: `We’ve released this payment.${arrival}` }
    : { label: 'On its way', tone: 'busy', reached: 2, next: `Our bank is sending this payment.${arrival}` }
}

/** Summarizes the payments once the loan is released. */
export function outcomeOf(made: Record<string, Payment | null>): { title: string; text: string } {
  const all = Object.values(made)
  if (all.some(isLost))
    return {
      title: 'there is news about your loan',
      text: 'The loan is released, but not every payment went through. See below for details and next steps.',
    }
  return all.every(payment => standingOf(payment).label === 'Paid')
    ? { title: 'your accounts are paid', text: 'The loan is released and every payment arrived.' }
    : { title: 'your payments are on their way', text: 'The loan is released and the payments are on their way.' }
}

/** Lists each account's payment and its progress. */
export const paymentList = (
  allocations: Record<string, number>,
  made: Record<string, Payment | null>,
  debts: readonly Debt[],
): View => html`<ul class="payments">
    ${Object.entries(allocations)
      .filter(([, amount]) => amount > 0)
      .map(([id, amount]) => {
        const { label, tone, reached, next } = standingOf(made[id] ?? null)
        const debt = debts.find(each => each.id === id)
        return html`<li class="${tone}">
          <p class="line">${debt ? logoOf(debt) : ''}<strong>${nameOf(id, debts)}</strong> <strong class="number">${money(amount)}</strong></p>
          <p class="track" data-reached="${reached}" aria-hidden="true"><i></i><i></i><i></i></p>
          <p><span class="badge ${tone}">${label}</span></p>
          <p class="small">${next}</p>
        </li>`
      })}
  </ul>`
