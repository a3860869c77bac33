import { expect } from '@open-wc/testing'
import { showPage } from './testing/show-page.js'

const box = (scope: string) => document.querySelector<HTMLInputElement>(`dialog[open] [value="${scope}"]`)!

describe('the page of keys', () => {
  it('creates a key with the chosen scopes, and shows it once', async () => {
    const { press, calls, settle } = await showPage('keys', 'plain')
    void press('Create a key')
    await settle()
    box('write').click()
    await press('Create a key')
    expect(calls('POST /team/keys').map(({ body }) => body)).to.deep.equal([{ scopes: ['read', 'write'] }])
    expect(document.querySelector('dialog[open] .secret')?.textContent?.trim()).to.equal('sk_x')
    // As a browser does at the second press of Escape.
    document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
    await settle()
    expect(document.querySelector('dialog[open] .secret')?.textContent?.trim()).to.equal('sk_x')
    await press('I stored it')
    expect(document.querySelector('dialog[open]') === null).to.equal(true)
  })

  it('tells a user who signed in with a link that the form would be refused, before it opens', async () => {
    const { find, text } = await showPage('keys', 'link')
    const button = find<HTMLButtonElement>('.head .btn.go')
    expect(button.disabled).to.equal(true)
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).to.contain(
      'You signed in with a one-time link',
    )
    expect(text()).to.contain('pnpm admin key create')
  })

  it('offers no scopes that would need a second person', async () => {
    const { press, settle } = await showPage('keys', 'second_person')
    void press('Create a key')
    await settle()
    const disabled = [...document.querySelectorAll<HTMLInputElement>('dialog[open] input:disabled')]
    expect(disabled.map(({ value }) => value)).to.deep.equal(['payments', 'admin'])
    expect(document.querySelector('#second-person')?.textContent).to.contain('needs a second person for money')
    await press('Go back')
  })

  it('asks for at least one scope', async () => {
    const { press, calls, settle } = await showPage('keys', 'plain')
    void press('Create a key')
    await settle()
    box('read').click()
    await press('Create a key')
    expect(document.querySelector('dialog[open] [role="alert"]')?.textContent).to.equal('Choose at least one scope.')
    expect(calls('POST /team/keys')).to.have.length(0)
    await press('Go back')
  })

  it('revokes a key, and the keys that it created if asked', async () => {
    const { press, calls, find, settle } = await showPage('keys', 'plain')
    void press('Revoke sk_…7Hs2')
    await settle()
    box('revoke').click()
    const typed = find<HTMLInputElement>('dialog[open] input.input')
    typed.value = '7Hs2'
    typed.dispatchEvent(new Event('input'))
    await settle()
    await press('Revoke')
    const [call] = calls('DELETE /team/keys/key_4kYq8ZbT1mXd5')
    expect(call?.query.get('created_keys')).to.equal('revoke')
  })

  it('names who created each key, and offers nothing to a viewer', async () => {
    const { text } = await showPage('keys', 'plain')
    expect(text()).to.contain('Operator').and.to.contain('sk_…7Hs2')
    const { find, has } = await showPage('keys', 'viewer')
    expect(find('h1').textContent).to.equal('Keys')
    expect(has('main button.btn')).to.equal(false)
  })
})
