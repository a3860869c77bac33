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
    await press('I stored it')
    expect(document.querySelector('dialog[open]') === null).to.equal(true)
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
