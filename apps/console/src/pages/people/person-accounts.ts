/** A panel that lists a person's accounts. */
import type { Account } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { accountName } from '../../accounts.js'
import type { List } from '../../api.js'
import type { Load } from '../../load.js'
import type { Console } from '../../page.js'
import { pill, statusPill } from '../../parts/marks.js'
import { panel } from '../../parts/panel.js'
import { table } from '../../parts/table.js'
import { words } from '../../words.js'

const { person: text } = words

/** Shows each of a person's accounts with the amount owed and the account's payment status. */
export function accountsPanel(console: Console, accounts: Load<List<Account>>): TemplateResult {
  const { format } = console
  const { accountColumns } = text
  const money = (account: Account) => {
    const found = balanceOf(account)
    return html`<b>${found ? format.money(found.amount) : '—'}</b><small>${found ? format.at(found.at, 'moment') : nothing}</small>`
  }
  const payable = (account: Account) =>
    account.products.includes('payment')
      ? pill('good', 'ok', text.payable)
      : account.restricted_products.includes('payment')
        ? pill('warn', 'clock', text.unpayable)
        : pill('slate', 'x', text.never)
  return panel(console, accounts, {
    title: text.accounts,
    shape: 'rows',
    flush: true,
    needs: 'viewer',
    note: String(accounts.value?.data.length ?? ''),
    empty: ({ data }) => (data.length === 0 ? text.accountsEmpty : null),
    body: ({ data }) =>
      table({
        label: text.accounts,
        rows: data,
        columns: [
          {
            head: accountColumns.account,
            breaks: true,
            cell: account =>
              html`<b>${accountName(account)}</b><small>${kindOf(account)}</small
                ><small class="narrow">${statusPill(account.status)} ${text.accountColumns.payable}: ${payable(account)}</small>`,
          },
          { head: accountColumns.state, wide: true, cell: account => statusPill(account.status) },
          { head: accountColumns.balance, end: true, cell: money },
          { head: accountColumns.payable, wide: true, cell: payable },
        ],
      }),
  })
}

/**
 * Returns the amount owed, from the account's balance or update, and the time at which it was read. Returns null if
 * neither the balance nor the update has an amount.
 */
function balanceOf({ balance, update }: Account): { amount: number; at: string } | null {
  if (balance && typeof balance === 'object' && typeof balance.amount === 'number')
    return { amount: balance.amount, at: balance.updated_at }
  if (!update || typeof update !== 'object' || update.type === null) return null
  const block = (update as unknown as Record<string, { balance?: number | null } | undefined>)[update.type]
  return typeof block?.balance === 'number' ? { amount: block.balance, at: update.updated_at } : null
}

function kindOf({ liability, ach }: Account): string {
  const kind = (liability?.type ?? ach?.type ?? '').replaceAll('_', ' ')
  return kind.charAt(0).toUpperCase() + kind.slice(1)
}
