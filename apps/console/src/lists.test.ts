import { expect } from '@open-wc/testing'
import { showPage } from './testing/show-page.js'

describe('exporting a list', () => {
  it('downloads the rows of the current filters', async () => {
    const { find } = await showPage('payments', 'filtered')
    const link = find<HTMLAnchorElement>('a[download]')
    expect(link.textContent?.trim()).to.equal('Export CSV')
    expect(link.getAttribute('href')).to.equal(
      '/api/payments/csv?status%5B%5D=reversal_required&status%5B%5D=failed&from_date=2026-03-03&to_date=2026-03-10',
    )
  })

  it('is not offered to a user who may not export lists', async () => {
    const { has } = await showPage('deliveries', 'viewer')
    expect(has('a[download]')).to.equal(false)
  })
})

describe('a list that the service neither counts nor exports', () => {
  it('has no total and no export', async () => {
    const { has, text, calls } = await showPage('webhooks', 'plain')
    expect(has('a[download]')).to.equal(false)
    expect(calls('GET /webhooks').map(({ query }) => query.get('count'))).to.deep.equal([null])
    expect(text()).to.contain('Webhooks')
  })
})

describe('the total of a list', () => {
  it('is the number of rows that match the filters', async () => {
    const { text, calls } = await showPage('payments', 'filtered')
    expect(text()).to.contain('3 rows')
    expect(calls('GET /payments').map(({ query }) => query.get('count'))).to.deep.equal(['capped'])
  })

  it('ends at 10,000', async () => {
    const { text } = await showPage('payments', 'plain')
    expect(text()).to.contain('10,000+ rows')
  })

  it('is not requested where the service cannot count', async () => {
    const { calls } = await showPage('sessions', 'stuck')
    expect(calls('GET /opal/sessions').map(({ query }) => query.get('count'))).to.deep.equal([null])
  })
})
