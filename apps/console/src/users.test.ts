import { expect } from '@open-wc/testing'
import { failure } from '../dev/fake.js'
import { showPage } from './testing/show-page.js'

const field = (name: string) => document.querySelector<HTMLInputElement>(`dialog [name="${name}"]`)!

describe('the users page', () => {
  it('invites a user with a role, and shows the link once', async () => {
    const { press, calls, find, text, settle } = await showPage('users', 'plain')
    await press('Invite a user')
    expect(field('role').value).to.equal('viewer')
    field('email').value = 'otto.brandt@northwind.example'
    field('role').value = 'finance'
    await press('Create the link')
    expect(calls('POST /console/users').map(({ body }) => body)).to.deep.equal([
      { email: 'otto.brandt@northwind.example', role: 'finance' },
    ])
    expect(find<HTMLInputElement>('input[readonly]').value).to.contain('#invitation=cinv_example')
    expect(text()).to.contain('Whoever opens it first becomes this user.')
    await settle()
    expect(document.querySelector('dialog[open]') === null).to.equal(true)
  })

  it('shows in the dialog why an invitation was refused', async () => {
    const message = 'This team already has a user with this email.'
    const { press } = await showPage('users', 'plain', {
      'POST /console/users': failure(400, 'INVALID_REQUEST', message),
    })
    await press('Invite a user')
    field('email').value = 'ines.farrow@northwind.example'
    await press('Create the link')
    expect(document.querySelector('dialog [role="alert"]')?.textContent ?? '').to.equal(message)
    await press('Go back')
  })

  it('changes a role, replaces lost passkeys and disables a user', async () => {
    const { press, calls, has } = await showPage('users', 'plain')
    const choose = async (value: string) => {
      await press('Change Ines Farrow')
      document.querySelector<HTMLInputElement>(`dialog [value="${value}"]`)!.click()
      await press('Save')
    }
    await press('Change Ines Farrow')
    field('role').value = 'viewer'
    await press('Save')
    await choose('invitation')
    await choose('status')
    const made = calls().filter(({ method }) => method === 'POST')
    expect(made.map(({ path, body }) => [path, body])).to.deep.equal([
      ['/console/users/cusr_4kYi8ZbT1mXcW', { role: 'viewer' }],
      ['/console/users/cusr_4kYi8ZbT1mXcW/invitation', {}],
      ['/console/users/cusr_4kYi8ZbT1mXcW', { status: 'disabled' }],
    ])
    expect(has('input[readonly]')).to.equal(true)
  })

  it('ends a session', async () => {
    const { find, calls, settle } = await showPage('users', 'plain')
    find<HTMLButtonElement>('[aria-label^="End the session of Ines Farrow"]').click()
    await settle()
    expect(calls('POST /console/sessions/csess_2/end')).to.have.length(1)
  })

  it('is in the navigation only of users who may manage users', async () => {
    const admin = await showPage('users', 'plain')
    expect(admin.has('.rail a[href="/users"]')).to.equal(true)
    const support = await showPage('users', 'forbidden')
    expect(support.has('.rail a[href="/users"]')).to.equal(false)
    expect(support.text()).not.to.contain('Invite a user')
  })
})

describe('the own account', () => {
  it('removes a passkey after a confirmation, but offers no removal of the only one', async () => {
    const { press, calls } = await showPage('own_account', 'plain')
    await press('Remove Security key')
    await press('Remove')
    expect(calls('POST /console/account/passkeys/cpk_2/remove')).to.have.length(1)
    const only = await showPage('own_account', 'one_passkey')
    expect(only.has('[aria-label="Remove Phone"]')).to.equal(false)
    expect(only.text()).to.contain('Add a second passkey')
  })

  it('shows only the own sessions', async () => {
    const { text } = await showPage('own_account', 'plain')
    expect(text()).to.contain('Juno Whitlock (this browser)').and.not.to.contain('Ines Farrow')
  })
})

describe('the sign-in page', () => {
  it('asks for a key only where keys may sign in', async () => {
    const withKeys = await showPage('shell', 'sign_in')
    expect(withKeys.has('input[name="key"]')).to.equal(true)
    const users = await showPage('shell', 'sign_in_users')
    expect(users.has('input[name="key"]')).to.equal(false)
    expect(users.text()).to.contain('Lost your passkey?')
  })

  it('asks for a second factor before any page loads', async () => {
    const { calls, text } = await showPage('shell', 'second_factor')
    expect(text()).to.contain('Confirm it’s you').and.to.contain('You don’t have one yet.')
    expect(calls().map(({ path }) => path)).to.deep.equal(['/session', '/console/account'])
  })
})

it('says what a session of a one-time link cannot do, and how to become a user', async () => {
  const { text, has } = await showPage('own_account', 'link')
  expect(text()).to.contain('can’t create keys or approve requests')
  expect(has('.head a.btn[href="/users"]')).to.equal(true)
})

it('says what a session of a key cannot do, whatever the name of the user', async () => {
  const { text } = await showPage('own_account', 'key')
  expect(text()).to.contain('You signed in with a secret key')
  const link = await showPage('own_account', 'link_like_key')
  expect(link.text()).to.contain('You signed in with a one-time link')
})
