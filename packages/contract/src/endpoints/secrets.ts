import { z } from 'zod'
import { endpoint, type Family, metadataInput, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { secret } from '../resources/secret.js'

export const endpoints = {
  createSecret: endpoint({
    method: 'POST',
    path: '/secrets',
    summary: 'Create a secret',
    body: z.object({
      value: z.string().min(1).max(8_192),
      metadata: metadataInput('MAX_SECRET_METADATA_SIZE_EXCEEDED'),
    }),
    answer: secret,
    example: { request: { value: 'tk_live_…' }, answer: examples.secret },
  }),
  listSecrets: endpoint({
    method: 'GET',
    path: '/secrets',
    summary: 'List secrets',
    query: paging,
    answer: secret,
    shape: 'list',
    example: { answer: [examples.secret] },
  }),
  retrieveSecret: endpoint({
    method: 'GET',
    path: '/secrets/:sec_id',
    summary: 'Retrieve a secret',
    answer: secret,
    example: { answer: examples.secret },
  }),
  deleteSecret: endpoint({
    method: 'DELETE',
    path: '/secrets/:sec_id',
    summary: 'Delete a secret',
    answer: z.null(),
    shape: 'gone',
    example: { answer: null },
  }),
}

export const secretFamily: Family = {
  name: 'Secrets',
  about: 'Encrypted values for forwarding. The API never returns the values.',
  endpoints,
}
