import { expect } from '@open-wc/testing'
import { failure, reply } from '../dev/fake.js'
import { operating, operatingSource, reserveSource } from '../dev/fixtures/money.js'
import { approval } from '../dev/scenes/approvals.js'
import { team } from '../dev/scenes/users.js'
import { showPage } from './testing/show-page.js'

const enter = (name: string, value: string) => {
  const field = document.querySelector<HTMLInputElement>(`[name="${name}"]`)!
  field.value = value
  field.dispatchEvent(new Event(field.localName === 'select' ? 'change' : 'input'))
}

describe('the settings', () => {
  it('are saved after a review of what changes, and only what changed is sent', async () => {
    const { press, calls, settle } = await showPage('settings', 'plain')
    enter('brand_color', '#ff8800')
    enter('privacy_url', 'https://northwind.example/privacy')
    enter('origins', 'https://www.northwind.example\n https://apply.northwind.example ')
    enter('payment_amount_max', '10.07')
    enter('appearance', 'dark')
    await settle()
    void press('Review 5 changes')
    await settle()
    const review = document.querySelector('dialog[open] dl')?.textContent?.replace(/\s+/g, ' ')
    expect(review)
      .to.contain('Color #1a7f5a #ff8800')
      .and.to.contain('Privacy page none https://northwind.example/privacy')
    await press('Save')
    expect(calls('PATCH /team').map(({ body }) => body)).to.deep.equal([
      {
        brand: { primary_color: '#ff8800', privacy_url: 'https://northwind.example/privacy' },
        appearance: 'dark',
        allowed_origins: ['https://www.northwind.example', 'https://apply.northwind.example'],
        limits: { payment_amount_max: 1_007 },
      },
    ])
  })

  it('show what was saved, also in choices, and list no change afterwards', async () => {
    const saved = [team, { ...team, appearance: 'dark' }, { ...team, appearance: 'light' }]
    const { press, settle, find, text } = await showPage('settings', 'plain', { 'GET /team': saved.map(reply) })
    for (const appearance of ['dark', 'light']) {
      enter('appearance', appearance)
      await settle()
      void press('Review 1 change')
      await settle()
      await press('Save')
      await settle()
      expect(find<HTMLSelectElement>('[name="appearance"]').value).to.equal(appearance)
      expect(text()).not.to.contain('Review 1 change')
    }
  })

  it('list no change anymore while a request with them waits for a second person', async () => {
    const { press, settle, text } = await showPage('settings', 'plain', {
      'PATCH /team': { status: 202, body: { approval: approval() } },
    })
    enter('payment_amount_max', '')
    await settle()
    void press('Review 1 change')
    await settle()
    await press('Save')
    await settle()
    expect(text()).not.to.contain('Review 1 change')
  })

  it('are kept in the form when saving fails', async () => {
    const { press, settle, find } = await showPage('settings', 'plain', {
      'PATCH /team': failure(400, 'INVALID_REQUEST', 'brand.primary_color must be a color such as #1a7f5a.'),
    })
    enter('brand_color', 'red')
    await settle()
    void press('Review 1 change')
    await settle()
    await press('Save')
    expect(document.querySelector('dialog[open] [role="alert"]')?.textContent).to.contain('must be a color')
    await press('Go back')
    expect(find<HTMLInputElement>('[name="brand_color"]').value).to.equal('red')
  })

  it('show the brand in a preview while it is typed', async () => {
    const { find, settle } = await showPage('settings', 'plain')
    enter('brand_name', 'Harbor Loans')
    enter('brand_color', '#aa0000')
    await settle()
    expect(find('.preview').textContent).to.contain('Harbor Loans')
    expect(find('.preview-button rect').getAttribute('fill')).to.equal('#aa0000')
  })

  it('clear a limit with an empty field', async () => {
    const { press, calls, settle } = await showPage('settings', 'plain')
    enter('payment_amount_max', '')
    await settle()
    void press('Review 1 change')
    await settle()
    await press('Save')
    expect(calls('PATCH /team').map(({ body }) => body)).to.deep.equal([{ limits: { payment_amount_max: null } }])
  })

  it('offer the accounts that can pay as the default source, and say why others cannot', async () => {
    const { press, calls, settle, find, text } = await showPage('settings', 'plain')
    const field = find<HTMLSelectElement>('[name="default_source"]')
    const shown = (each: Element) => each.textContent?.replace(/\s+/g, ' ').trim()
    expect([...field.options].map(shown)).to.deep.equal([
      'None',
      'Checking ·· 6789 of Northwind Lending',
      'Savings ·· 4410 of Northwind Reserve',
    ])
    expect(field.value).to.equal(operating.id)
    expect(text()).to.contain('Can’t pay: Checking ·· 0912 of Northwind Lending (not verified)')
    enter('default_source', reserveSource.id)
    await settle()
    void press('Review 1 change')
    await settle()
    const review = document.querySelector('dialog[open] dl')?.textContent?.replace(/\s+/g, ' ')
    expect(review).to.contain('Checking ·· 6789 of Northwind Lending Savings ·· 4410 of Northwind Reserve')
    await press('Save')
    expect(calls('PATCH /team').map(({ body }) => body)).to.deep.equal([{ default_source_account: reserveSource.id }])
  })

  it('say how to get an account to pay from if there is none', async () => {
    const { text } = await showPage('settings', 'no_source')
    expect(text()).to.contain('Create a company and its bank account with the API')
  })

  it('tell accounts with the same name apart by their ids', async () => {
    const twins = ['acc_4kYi8ZbT1mXcA', 'acc_4kYi8ZbT1mXcB'].map(id => ({ ...reserveSource, id }))
    const { find } = await showPage('settings', 'plain', {
      'GET /console/sources': reply({ data: [...twins, operatingSource], more: false }),
    })
    const labels = [...find<HTMLSelectElement>('[name="default_source"]').options].map(each => each.text)
    for (const { id } of twins) expect(labels.filter(text => text.includes(id))).to.have.length(1)
    expect(labels.some(text => text.includes(operatingSource.id))).to.equal(false)
  })

  it('keep a default source that cannot pay anymore, with the reason', async () => {
    const old = { ...reserveSource, is_default: true, why_not: 'INVALID_SOURCE' }
    const { find } = await showPage('settings', 'plain', {
      'GET /console/sources': reply({ data: [old], more: false }),
      'GET /team': reply({ ...team, default_source_account: old.id }),
    })
    const [chosen] = find<HTMLSelectElement>('[name="default_source"]').selectedOptions
    expect(chosen?.textContent).to.contain('4410 of Northwind Reserve (disabled, closed or not ready yet)')
  })

  it('cannot be changed by a viewer', async () => {
    const { has, text } = await showPage('settings', 'viewer')
    expect(has('main form button')).to.equal(false)
    expect(has('main form input:not([readonly]), main form select:not([disabled])')).to.equal(false)
    expect(text()).to.contain('Only admins can change settings.')
  })
})
