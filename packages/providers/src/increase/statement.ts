import type { StatementLine, StatementQuery } from '@causeway/connector/provider/provider'
import { betweenDays, teamAccounts } from './accounts.js'
import { readPage } from './client.js'
import type { Context } from './settings.js'

/** Returns the transfer that caused a transaction. Its source has one member, named for its category, with the details. */
function transferOf(source: Record<string, unknown>): string | null {
  const details = source[String(source['category'])] as { transfer_id?: unknown } | null | undefined
  return typeof details?.transfer_id === 'string' ? details.transfer_id : null
}

/** Lists the transactions of the team's accounts, one account after the other. */
export async function statement(
  context: Context,
  { from, to, cursor }: StatementQuery,
): Promise<{ lines: StatementLine[]; cursor: string | null }> {
  const accounts = await teamAccounts(context)
  // The number of the account, and Increase's own cursor within it.
  const [, index = '0', inner = ''] = /^(\d{1,3}) (.*)$/.exec(cursor ?? '') ?? []
  const account = accounts[Number(index)]
  if (account === undefined) return { lines: [], cursor: null }
  const page = await readPage(
    context,
    '/transactions',
    { account_id: account, ...betweenDays(from, to) },
    inner === '' ? null : inner,
  )
  const lines = page.data.map(({ id, amount, created_at, source }) => {
    const details = (source ?? {}) as Record<string, unknown>
    return {
      id: String(id),
      amount: Number(amount),
      at: Date.parse(String(created_at)),
      category: String(details['category']),
      transfer: transferOf(details),
    }
  })
  const hasNext = Number(index) + 1 < accounts.length
  return { lines, cursor: page.next !== null ? `${index} ${page.next}` : hasNext ? `${Number(index) + 1} ` : null }
}
