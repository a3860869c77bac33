/** The answers about the accounts of an item, and about institutions. */
import type * as Plaid from 'plaid'
import type { Plain } from '../types.js'
import { type Body, inputError, itemError, type State } from './state.js'

export function createProducts({ institutions, findItem, showItem, needProduct, ended }: State) {
  const getAccounts = (body: Body): Plain<Plaid.AccountsGetResponse> => {
    const item = findItem(body)
    const wanted = (body['options'] as { account_ids?: string[] } | undefined)?.account_ids
    const known = new Set(item.accounts.map(({ account_id }) => account_id))
    if (wanted?.some(id => !known.has(id))) throw inputError('INVALID_ACCOUNT_ID')
    const accounts = item.accounts.filter(({ account_id }) => wanted?.includes(account_id) ?? true)
    return { accounts, item: showItem(item), ...ended() }
  }

  function getLiabilities(body: Body): Plain<Plaid.LiabilitiesGetResponse> {
    const item = findItem(body)
    needProduct(item, 'liabilities')
    const ids = new Set(item.accounts.map(({ account_id }) => account_id))
    const present = <T extends { account_id: string | null }>(list: T[]) =>
      list.filter(({ account_id }) => account_id !== null && ids.has(account_id))
    const lists = { credit: present(item.credit), mortgage: present(item.mortgage), student: present(item.student) }
    const liabilities = Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [name, list.length > 0 ? list : null]),
    ) as Plain<Plaid.LiabilitiesObject>
    return { accounts: item.accounts, item: showItem(item), liabilities, ...ended() }
  }

  function matchIdentity(body: Body): Plain<Plaid.IdentityMatchResponse> {
    const item = findItem(body)
    needProduct(item, 'identity')
    const none = { score: null, is_postal_code_match: null } as const
    return {
      accounts: item.accounts.map(each => ({
        ...each,
        legal_name: {
          ...{ score: item.score, is_first_name_or_last_name_match: null, is_nickname_match: null },
          is_business_name_detected: null,
        },
        phone_number: { score: null },
        email_address: { score: null },
        address: none,
      })) as Plain<Plaid.AccountIdentityMatchScore>[],
      item: showItem(item),
      ...ended(),
    }
  }

  function getAuth(body: Body): Plain<Plaid.AuthGetResponse> {
    const item = findItem(body)
    needProduct(item, 'auth')
    const ach = Object.entries(item.numbers).map(([account_id, numbers]) => ({
      account_id,
      ...numbers,
      wire_routing: null,
    }))
    if (ach.length === 0) throw itemError('NO_AUTH_ACCOUNTS')
    return {
      accounts: item.accounts,
      numbers: { ach, eft: [], international: [], bacs: [] },
      item: showItem(item),
      ...ended(),
    }
  }

  function syncTransactions(body: Body): Plain<Plaid.TransactionsSyncResponse> {
    const item = findItem(body)
    needProduct(item, 'transactions')
    const account = (body['options'] as { account_id?: string } | undefined)?.account_id
    const from = body['cursor'] === undefined ? 0 : Number(String(body['cursor']).slice(1))
    const part = item.log.slice(from, from + Number(body['count'] ?? 100))
    const own = (id: string) => account === undefined || id === account
    const pick = (name: 'added' | 'modified') =>
      part.flatMap(each => {
        const found = (each as Record<string, Plain<Plaid.Transaction> | undefined>)[name]
        return found && own(found.account_id) ? [found] : []
      })
    return {
      transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE',
      accounts: item.accounts,
      added: pick('added'),
      modified: pick('modified'),
      removed: part.flatMap(each =>
        'removed' in each && own(each.account) ? [{ transaction_id: each.removed, account_id: each.account }] : [],
      ),
      next_cursor: `c${from + part.length}`,
      has_more: from + part.length < item.log.length,
      ...ended(),
    }
  }

  function getInstitutions(body: Body): Plain<Plaid.InstitutionsGetResponse> {
    const { count: size, offset } = body as { count: number; offset: number }
    const shown = institutions.map(({ id, name, products }) => ({
      ...{ institution_id: id, name, products: [...products], country_codes: ['US' as const] },
      ...{ routing_numbers: [], oauth: false },
    }))
    return { institutions: shown.slice(offset, offset + size), total: shown.length, ...ended() }
  }

  return { getAccounts, getLiabilities, matchIdentity, getAuth, syncTransactions, getInstitutions }
}
