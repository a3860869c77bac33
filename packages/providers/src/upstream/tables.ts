/** The upstream's merchants. Its card products and its bureau are not listed by its API. */
import type { AnswerOf } from '@causeway/connector/provider/paths'
import { list, listOf, members, textOf } from './client.js'
import type { Context } from './settings.js'

const texts = (value: unknown): string[] => listOf(value).filter(each => typeof each === 'string')

export async function tables(context: Context): Promise<AnswerOf<'network/tables'>> {
  const merchants: AnswerOf<'network/tables'>['merchants'] = []
  for await (const merchant of list(context, '/merchants')) {
    const { id, name, parent_name, type, logo, is_temp, account_number_formats } = merchant
    const { plaid, mx, finicity, dpp } = members(merchant['provider_ids'])
    merchants.push({
      id: String(id),
      parent_name: textOf(parent_name) ?? '',
      name: textOf(name) ?? '',
      type: textOf(type) ?? '',
      logo: textOf(logo) ?? '',
      is_temp: is_temp === true,
      provider_ids: { plaid: texts(plaid), mx: texts(mx), finicity: texts(finicity), dpp: texts(dpp) },
      account_number_formats: texts(account_number_formats),
      creditor_names: [],
    })
  }
  return { merchants, card_products: [] }
}
