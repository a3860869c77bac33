import { z } from 'zod'
import { secret } from '../resources/secret.js'
import { type Endpoint, type Family, metadataInput, paging } from './endpoint.js'
import * as examples from './examples.js'

const endpoints: Endpoint[] = [
  {
    method: 'POST',
    path: '/secrets',
    summary: 'Create a secret',
    body: z.object({ value: z.string().min(1).max(8_192), metadata: metadataInput }),
    answer: secret,
    errors: ['MAX_SECRET_METADATA_SIZE_EXCEEDED'],
    example: { request: { value: 'tk_live_…' }, answer: examples.secret },
  },
  {
    method: 'GET',
    path: '/secrets',
    summary: 'List secrets',
    query: paging,
    answer: secret,
    shape: 'list',
    example: { answer: [examples.secret] },
  },
  {
    method: 'GET',
    path: '/secrets/:sec_id',
    summary: 'Retrieve a secret',
    answer: secret,
    example: { answer: examples.secret },
  },
  {
    method: 'DELETE',
    path: '/secrets/:sec_id',
    summary: 'Delete a secret',
    answer: z.null(),
    shape: 'gone',
    example: { answer: null },
  },
]

export const secretFamily: Family = {
  name: 'Secrets',
  about: 'Values kept sealed for forwarding. No answer shows one.',
  endpoints,
}
