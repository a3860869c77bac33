import { createMemoryHost } from '@causeway/connector/testing/memory-host'
import { expect, it } from 'vitest'
import { upstream } from './provider.js'

const env = {
  UPSTREAM_API_URL: 'https://api.example.com',
  UPSTREAM_API_KEY: 'sk_12345678',
  UPSTREAM_WEBHOOK_SECRET: 'the secret of the webhooks there',
}
const AT = Date.parse('2026-12-01T12:00:00.000Z')
const PAGES = 3

it('finds a payment by its metadata on a later page, and names one dated version in every request', async () => {
  const versions: (string | null)[] = []
  const paths: string[] = []
  const { exchange } = createMemoryHost(upstream, {
    env,
    async fetch(input, init) {
      const { url, headers } = new Request(input, init)
      const { pathname, searchParams } = new URL(url)
      versions.push(headers.get('service-version'))
      paths.push(`${pathname} ${searchParams.get('destination')} ${searchParams.get('page_cursor')}`)
      const page = Number(searchParams.get('page_cursor') ?? 1)
      const data = Array.from({ length: 100 }, (_, row) => ({
        id: `pmt_${page}x${row}`,
        created_at: new Date(AT).toISOString(),
        metadata: page === PAGES && row === 42 ? { causeway_payment: 'pmt_ours' } : null,
      }))
      const next = page < PAGES ? { 'pagination-page-cursor-next': String(page + 1) } : {}
      return Response.json({ data }, { headers: next })
    },
  })
  const debt = { id: 'acc_1', type: 'liability', routing: null, number: null, reference: 'acc_theirs', mch_id: 'mch_a' }
  const source = { id: 'acc_2', type: 'ach', routing: '062103000', number: '880001', reference: null, mch_id: null }
  const days = { source_date: '2026-12-01', destination_date: '2026-12-02' }
  const submission = { payment_id: 'pmt_ours', amount: 500, fee: 0, source, destination: debt, created_at: AT, ...days }
  const outcome = await exchange('outcome', {
    request_id: 'pmt_ours',
    team_id: 'team_1',
    now: AT,
    question: { method: 'rail/submit', question: submission },
  })
  expect(outcome).toEqual({ known: true, answer: { status: 'accepted' } })
  expect(paths).toEqual(['null', '2', '3'].map(cursor => `/payments acc_theirs ${cursor}`))
  expect(new Set(versions)).toEqual(new Set(['2026-03-30']))
})
