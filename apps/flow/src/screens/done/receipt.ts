/**
 * The person's copy of a session: its outcome and time, the amounts, and each document with the time when the person
 * agreed to it.
 */
import { total } from '@causeway/contract/allocations'
import { outcomeOf } from '@causeway/contract/outcome'
import type { AccountView, ViewOf } from '@causeway/contract/session'
import { typeNameOf } from '../../parts/account.js'
import { type AmountRow, accountsWithAmount, describeShare } from '../../parts/amount-table.js'
import type { PrintableCopy } from '../../parts/printable-copy.js'
import type { Language } from '../../words/language.js'

type View = ViewOf<'done'>

/** Returns a language's name, or its tag if the language is unknown. */
export function languageName(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/**
 * Returns the lines for the connected or paid accounts. After the loan is released, the lines include each payment's
 * status.
 */
function lines({ data, brand }: View, language: Language): AmountRow[] {
  const { review, selection, payment, paymentNext } = language.words
  const { accounts, allocations, terms, payments, payout_status } = data
  const line = (account: AccountView, amount: string, ...notes: string[]): AmountRow => {
    const mask = account.mask ? selection.mask(account.mask) : ''
    return {
      name: account.name || typeNameOf(account, language),
      note: [mask, ...notes].filter(text => text !== '').join(' · '),
      amount,
    }
  }
  if (!terms) return accounts.map(account => line(account, ''))
  const standing = ({ id }: AccountView) => (payout_status === 'released' ? outcomeOf(payments[id] ?? null) : null)
  const residual = terms.loan_amount - total(allocations)
  return [
    ...accountsWithAmount(accounts, allocations).map(account => {
      const amount = allocations[account.id] ?? 0
      const part = describeShare(account, amount, language)
      const outcome = standing(account)
      return outcome
        ? { ...line(account, language.money(amount), part, payment[outcome]), next: paymentNext[outcome](brand.name) }
        : line(account, language.money(amount), part)
    }),
    ...(residual > 0 ? [{ name: review.notPlaced, note: '', amount: language.money(residual) }] : []),
    { name: review.total, note: '', amount: language.money(terms.loan_amount) },
  ]
}

/**
 * @param title the outcome, as shown on the screen
 * @param now the current time in epoch milliseconds
 */
export function receipt(view: View, title: string, now: number, language: Language): PrintableCopy {
  const { receipt: words } = language.words
  const { agreed, completed_at, released_at, terms } = view.data
  const exact = new Intl.DateTimeFormat(language.locale, { dateStyle: 'medium', timeStyle: 'long' })
  const when = (iso: string) => exact.format(new Date(iso))
  const confirmed = agreed.find(({ id }) => id === 'payments')?.at ?? completed_at
  const moments: [string, string | null][] = [
    [terms ? words.confirmed : words.finished, confirmed],
    [words.released, released_at],
    [words.printed, new Date(now).toISOString()],
  ]
  return {
    title,
    lead: view.brand.name,
    facts: [
      { name: words.reference, value: view.session_id },
      ...moments.flatMap(([name, at]) => (at === null ? [] : { name, value: when(at) })),
    ],
    sums: lines(view, language),
    documents: agreed.map(({ id, version, locale, shares, at, earlier }) => ({
      id,
      version,
      shares,
      note: (earlier ? words.agreedEarlier : words.agreed)(version, when(at), languageName(locale, language.locale)),
    })),
  }
}
