import { z } from 'zod'
import { endpoint, type Family } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { file } from '../resources/file.js'

const since = '2024-04-04'
const errors = ['PRODUCT_CONSENT_MISSING', 'TOO_MANY_REQUESTS'] as const

export const endpoints = {
  retrieveFile: endpoint({
    method: 'GET',
    path: '/files/:file_id',
    summary: 'Retrieve a file',
    description:
      'Returns the file and a link to its contents, which works for 60 minutes without a key. The link counts toward the daily limit on reads of sensitive values.',
    since,
    scope: 'sensitive',
    answer: file,
    errors,
    example: {
      answer: {
        id: 'file_4kYq8ZbT1mXf6',
        type: 'raw_credit_report',
        mime_type: 'application/json',
        download_url:
          'https://api.example.com/file_links/team_4kYq8ZbT1mXcA.file_4kYq8ZbT1mXf6.key_4kYq8ZbT1mXcB.mm9.c2ln',
        download_expires_at: '2026-03-02T16:00:00.000Z',
        ...examples.times,
      },
    },
  }),
  downloadFile: endpoint({
    method: 'GET',
    path: '/files/:file_id/download',
    summary: 'Download a file',
    description:
      'Returns the contents, with the type of the file and a `Content-Disposition` header that names it. Counts toward the daily limit on reads of sensitive values.',
    since,
    scope: 'sensitive',
    answer: z.string(),
    shape: 'raw',
    type: 'application/octet-stream',
    errors,
    example: { answer: '{}' },
  }),
  openFileLink: endpoint({
    method: 'GET',
    path: '/file_links/:link',
    summary: 'Download a file by its link',
    description:
      'Returns the contents to every client that has the link, which `GET /files/{id}` returns. A link that has expired is rejected with `EXPIRED_TOKEN`, and a changed one with `NOT_FOUND`.',
    auth: 'none',
    answer: z.string(),
    shape: 'raw',
    type: 'application/octet-stream',
    errors: ['EXPIRED_TOKEN', ...errors],
    example: { answer: '{}' },
  }),
}

export const fileFamily: Family = {
  name: 'Files',
  about:
    'The credit reports that a connect with `bureau` and `artifacts` returned. They contain full Social Security and account numbers. They are deleted when consent to the person or to any of the person’s accounts is withdrawn.',
  endpoints,
}
