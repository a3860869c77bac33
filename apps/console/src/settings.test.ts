import { expect } from '@open-wc/testing'
import { failure } from '../dev/fake.js'
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

  it('cannot be changed by a viewer', async () => {
    const { has, text } = await showPage('settings', 'viewer')
    expect(has('main form button')).to.equal(false)
    expect(has('main form input:not([readonly])')).to.equal(false)
    expect(text()).to.contain('Only admins can change settings.')
  })
})
