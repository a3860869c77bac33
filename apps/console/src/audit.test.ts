import { expect } from '@open-wc/testing'
import { showPage } from './testing/show-page.js'

describe('the audit log', () => {
  it('shows who did what, and why', async () => {
    const { find } = await showPage('audit', 'plain')
    const [revealed] = [...find('[aria-label="Audit log"] tbody').children].map(each => each.textContent)
    expect(revealed).to.contain('Juno Whitlock').and.to.contain('entity.reveal')
    expect(revealed).to.contain('The caller confirms the birth date').and.to.contain('ent_4kYi8ZbT1mXcV')
  })

  it('narrows to a person or a resource, in the list and in the file', async () => {
    const { calls, find, press, at } = await showPage('audit', 'plain')
    await press('key_4kYq8ZbT1mXd5')
    expect(at()).to.equal('/audit?actor=key_4kYq8ZbT1mXd5')
    expect(calls('GET /console/audit').at(-1)?.query.get('actor')).to.equal('key_4kYq8ZbT1mXd5')
    expect(find('a[download]').getAttribute('href')).to.equal('/api/console/audit/csv?actor=key_4kYq8ZbT1mXd5')
  })

  it('is filtered by the kind of action, in the list and in the file', async () => {
    const { calls, find, press, at } = await showPage('audit', 'plain')
    find<HTMLInputElement>('input[name="area"][value="keys"]').click()
    await press('Apply')
    expect(at()).to.equal('/audit?area=keys')
    expect(calls('GET /console/audit').at(-1)?.query.get('area')).to.equal('keys')
    expect(find('a[download]').getAttribute('href')).to.equal('/api/console/audit/csv?area=keys')
  })

  it('continues with older entries', async () => {
    const { calls, press } = await showPage('audit', 'plain')
    await press('Older')
    expect(calls('GET /console/audit').at(-1)?.query.get('page_cursor')).to.equal('1.a')
  })
})

describe('an entry of the audit log', () => {
  it('shows what changed, by path, with amounts in dollars, and no value that the log does not contain', async () => {
    const { find } = await showPage('audit', 'changes')
    const [settings, approvals] = [...find('[aria-label="Audit log"] tbody').children].map(each =>
      (each.textContent ?? '').replace(/\s+/g, ' '),
    )
    expect(settings).to.contain('brand.name: Northwind →changed to Northwind Lending')
    expect(settings).to.contain('limits.payment_amount_max: $25,000.00 →changed to none')
    expect(settings).to.contain('ein: changed (the value isn’t recorded)')
    expect(approvals).to.contain('approve_above: $1,000.00 →changed to $500.00')
  })

  it('names users, also disabled ones, with the id in a tooltip', async () => {
    const { text, find, has } = await showPage('audit', 'changes')
    expect(find('[title="cusr_4kYi8ZbT1mXcY"]').textContent).to.equal('Mara Lindqvist')
    expect(find('[title="cusr_4kYi8ZbT1mXcX"]').textContent).to.equal('Invited user')
    expect(has('td[title^="cusr_"]')).to.equal(false)
    expect(text()).to.contain('Searched for a phone number').and.not.to.contain('cusr_')
  })
})

it('names the user who sent a request or created a key, for every role', async () => {
  const { text } = await showPage('keys', 'viewer')
  expect(text()).to.contain('Juno Whitlock').and.not.to.contain('cusr_')
  const requests = await showPage('requests', 'plain')
  expect(requests.text()).to.contain('Ines Farrow').and.not.to.contain('cusr_')
})
