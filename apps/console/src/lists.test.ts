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

describe('a filter on days', () => {
  const daysAfter = async (name: string) => {
    const { app, press, at } = await showPage('payments', 'plain')
    // The sandbox's clock is a week ahead.
    app.now = () => Date.parse('2026-03-24T23:30:00Z')
    await press('Filter F')
    await press(name)
    await press('Apply')
    return at()
  }

  it('has a button for each of the usual periods', async () => {
    expect(await daysAfter('Last month')).to.equal('/payments?from=2026-02-01&to=2026-02-28')
    expect(await daysAfter('This month')).to.equal('/payments?from=2026-03-01&to=2026-03-31')
    expect(await daysAfter('Yesterday')).to.equal('/payments?from=2026-03-30&to=2026-03-30')
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

describe('the order of a list', () => {
  it('is reversed by the head of the column with the time, also in the export', async () => {
    const { press, at, calls, find } = await showPage('payments', 'plain')
    expect(find('th[aria-sort]').getAttribute('aria-sort')).to.equal('descending')
    await press('Created')
    expect(at()).to.equal('/payments?sort=created_at')
    expect(find('th[aria-sort]').getAttribute('aria-sort')).to.equal('ascending')
    expect(calls('GET /payments').map(({ query }) => query.get('sort'))).to.deep.equal([null, 'created_at'])
    expect(find('a[download]').getAttribute('href')).to.equal('/api/payments/csv?sort=created_at')
    expect([...document.querySelectorAll('.pager .btn')].map(each => each.textContent?.trim())).to.deep.equal([
      'Older',
      'Newer',
    ])
    await press('Created')
    expect(at()).to.equal('/payments')
  })

  it('is a filter that can be removed, and starts at the first page', async () => {
    const { press, at, text } = await showPage('payments', 'oldest_first')
    expect(text()).to.contain('Order oldest first')
    await press('Remove the filter Order')
    expect(at()).to.equal('/payments')
  })

  it('is not offered where the service can not reverse it', async () => {
    const { has } = await showPage('webhooks', 'plain')
    expect(has('th[aria-sort]')).to.equal(false)
  })
})

describe('the columns of a list', () => {
  it('that the user unchecks disappear, without another request', async () => {
    const { find, at, calls, text, settle } = await showPage('payments', 'plain')
    expect(text()).to.contain('Person')
    find<HTMLInputElement>('.sheet input[name=person]').click()
    await settle()
    expect(at()).to.equal('/payments?hide=person')
    expect([...document.querySelectorAll('th')].map(each => each.textContent)).to.not.contain('Person')
    expect(calls('GET /payments')).to.have.length(1)
    find<HTMLInputElement>('.sheet input[name=person]').click()
    await settle()
    expect(at()).to.equal('/payments')
    expect([...document.querySelectorAll('th')].map(each => each.textContent)).to.contain('Person')
  })
})

describe('a saved view', () => {
  it('holds the filters and the hidden columns, and no position in the list', async () => {
    const { calls, find, press } = await showPage('payments', 'saving', {
      'POST /console/views': { status: 200, body: {} },
    })
    find<HTMLInputElement>('input[name=name]').value = 'Failed'
    await press('Save')
    expect(calls('POST /console/views').map(({ body }) => body)).to.deep.equal([
      { list: '/payments', name: 'Failed', query: 'hide=to&status=failed' },
    ])
    expect(calls('GET /console/views')).to.have.length(2)
  })

  it('is a tab that is current for its query, in any order, and can be deleted', async () => {
    const { calls, find, press } = await showPage('payments', 'saved', {
      'DELETE /console/views/:id': { status: 200, body: {} },
    })
    const tabs = [...document.querySelectorAll('.tabs a')].map(each => each.textContent?.trim())
    expect(tabs).to.deep.equal([
      'All',
      'Needs a look',
      'On the way',
      'Arrived',
      'Failed, no ids',
      'Last quarter of 2025',
    ])
    expect(document.querySelectorAll('.tabs [aria-current=true]')).to.have.length(1)
    expect(find('.tabs [aria-current=true]').textContent?.trim()).to.equal('Failed, no ids')
    await press('Delete view')
    expect(calls('DELETE /console/views/cview_1')).to.have.length(1)
  })

  it('opens with its filters, and without the current ones', async () => {
    const { press, at } = await showPage('payments', 'filtered')
    await press('Failed, no ids')
    expect(at()).to.equal('/payments?hide=id&status=failed')
  })

  it('is not offered for a list without filters', async () => {
    const { text } = await showPage('payments', 'plain')
    expect(text()).to.not.contain('Save view')
    expect(text()).to.not.contain('Delete view')
  })
})
