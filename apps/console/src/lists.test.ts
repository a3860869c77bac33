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
