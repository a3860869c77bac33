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

  it('continues with older entries', async () => {
    const { calls, press } = await showPage('audit', 'plain')
    await press('Older')
    expect(calls('GET /console/audit').at(-1)?.query.get('page_cursor')).to.equal('1.a')
  })
})
