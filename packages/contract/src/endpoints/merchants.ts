import { z } from 'zod'
import { endpoint, type Family, paging } from '../declaration/endpoint.js'
import { merchant as example } from '../declaration/examples.js'
import { merchant, merchantTypes } from '../fields/merchant.js'

const { from_date: _from, to_date: _to, ...pages } = paging
const provider = z.string().describe('The id of the institution with this provider')

export const endpoints = {
  listMerchants: endpoint({
    method: 'GET',
    path: '/merchants',
    summary: 'List merchants',
    description: 'Merchants are ordered by number, highest first.',
    query: {
      ...pages,
      name: z.string().describe('Part of the name'),
      creditor_name: z.string().describe('Part of the name on a credit report'),
      type: z.enum(merchantTypes),
      'provider_id.plaid': provider,
      'provider_id.mx': provider,
      'provider_id.finicity': provider,
      'provider_id.dpp': provider,
      'provider_id.rpps': provider,
    },
    answer: merchant,
    shape: 'list',
    example: { answer: [example] },
  }),
  retrieveMerchant: endpoint({
    method: 'GET',
    path: '/merchants/:mch_id',
    summary: 'Retrieve a merchant',
    answer: merchant,
    example: { answer: example },
  }),
}

export const merchantFamily: Family = {
  name: 'Merchants',
  about: 'Institutions that hold liability accounts. The list is the same for every team.',
  endpoints,
}
