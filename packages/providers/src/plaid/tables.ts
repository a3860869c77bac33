/** The merchants: every institution at which debts can be read. */
import type { Merchant } from '@causeway/connector/ports/network'
import type { AnswerOf } from '@causeway/connector/provider/paths'
import { objectsOf, postOrThrow, textOf, unreadable } from './client.js'
import type { Context } from './settings.js'

const PAGE_SIZE = 500
const MAX_PAGES = 60

/** The id of the merchant of an institution. */
export const merchantOf = (institution: string): string => `mch_plaid_${institution}`

export async function readTables(context: Context): Promise<AnswerOf<'network/tables'>> {
  const merchants: Merchant[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const { institutions, total } = await postOrThrow(context, '/institutions/get', {
      count: PAGE_SIZE,
      offset: page * PAGE_SIZE,
      country_codes: ['US'],
      options: { products: ['liabilities'] },
    })
    if (!Array.isArray(institutions) || typeof total !== 'number') throw unreadable()
    for (const { institution_id, name } of objectsOf(institutions)) {
      if (typeof institution_id !== 'string' || !/^\w{1,40}$/.test(institution_id)) continue
      const shown = textOf(name, 200) ?? institution_id
      merchants.push({
        id: merchantOf(institution_id),
        parent_name: shown,
        name: shown,
        logo: '',
        type: 'bank',
        provider_ids: { plaid: [institution_id], mx: [], finicity: [], dpp: [] },
        is_temp: false,
        account_number_formats: [],
        creditor_names: [],
      })
    }
    if (institutions.length === 0 || (page + 1) * PAGE_SIZE >= total) break
  }
  return { merchants, card_products: [], bureau: null }
}
