import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { failure, reply } from '../dev/fake.js'
import { oldSession, session } from '../dev/fixtures/people.js'
import { showPage } from './testing/show-page.js'

describe('an action that needs a recent sign-in', () => {
  it('asks for a passkey if the service requires one, and then repeats the action with the same key', async () => {
    const bytes = new Uint8Array(8).buffer
    const response = { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: null }
    const credential = { id: 'AAAA', rawId: bytes, type: 'public-key', response, getClientExtensionResults: () => ({}) }
    const { get } = navigator.credentials
    let prompts = 0
    navigator.credentials.get = async () => {
      prompts += 1
      return credential as never
    }
    try {
      const old = { ...failure(403, 'FORBIDDEN', 'Confirm who you are.'), headers: { 'Passkey-Required': 'true' } }
      const { press, find, calls, settle } = await showPage('person', 'stuck', {
        'POST /entities/:id/reveal': [
          old,
          reply({ values: { email: 'c@example.com' }, until: '2026-03-10T14:42:00.000Z' }),
        ],
        'POST /session/passkey/options': reply({ challenge: 'AAAA', allowCredentials: [] }),
        'POST /session/passkey': reply({}),
      })
      await press('Reveal…')
      find<HTMLInputElement>('dialog[open] [name=reason]').value = 'The caller confirms it'
      await press('Reveal for 30 seconds')
      await waitFor(() => document.querySelector('dialog[open]') === null)
      await settle()
      expect(prompts).to.equal(1)
      const keys = calls('POST /entities/ent_4kYe5HcQ0vRtA/reveal').map(({ headers }) => headers.get('Idempotency-Key'))
      expect(keys).to.have.length(2)
      expect(keys[0]).to.equal(keys[1])
      expect(calls('POST /session/passkey')).to.have.length(1)
    } finally {
      navigator.credentials.get = get
    }
  })
})

describe('a dialog for an action that needs a recent sign-in', () => {
  const tabs: { location: { href: string }; close: () => void }[] = []
  const { open } = window
  beforeEach(() => {
    tabs.length = 0
    window.open = () => {
      tabs.push({ location: { href: '' }, close: () => undefined })
      return tabs.at(-1) as never
    }
  })
  afterEach(() => {
    window.open = open
    document.querySelector('dialog[open]')?.remove()
  })
  const dialog = () => document.querySelector<HTMLDialogElement>('dialog[open]')!
  const submit = () => dialog().querySelector<HTMLButtonElement>('form > .actions .btn.go')!

  it('says before the user types that a passkey will be asked for', async () => {
    const { press } = await showPage('keys', 'creating_later')
    await press('Create a key')
    expect(dialog().textContent).to.contain('your browser will ask for your passkey')
    expect(submit().disabled).to.equal(false)
  })

  it('says nothing shortly after the sign-in', async () => {
    const { press, calls } = await showPage('keys', 'plain')
    await press('Create a key')
    expect(dialog().textContent).not.to.contain('10 minutes ago')
    expect(calls('GET /session')).to.have.length(1)
  })

  it('lets a user without a passkey sign in again in another tab, and keeps what was typed', async () => {
    const late = { ...session, ...oldSession(false) }
    const { press, calls, settle } = await showPage('keys', 'creating_after_sign_in', {
      'GET /session': [reply(late), reply(late), reply(session)],
      'POST /sign-in/oidc': reply({ url: 'https://login.example/authorize' }),
    })
    await press('Create a key')
    expect(dialog().textContent).to.contain('have no passkey')
    expect(submit().disabled).to.equal(true)
    const write = dialog().querySelector<HTMLInputElement>('[value=write]')!
    write.checked = true
    await press('Sign in again')
    expect(tabs.map(({ location }) => location.href)).to.deep.equal(['https://login.example/authorize'])
    window.dispatchEvent(new Event('focus'))
    await settle()
    expect(dialog().textContent).to.contain('You signed in again.')
    expect([submit().disabled, write.checked, write.isConnected]).to.deep.equal([false, true, true])
    expect(calls('POST /team/keys')).to.deep.equal([])
  })

  it('says what to do if the browser blocks the tab', async () => {
    window.open = () => null
    const { press } = await showPage('keys', 'creating_after_sign_in')
    await press('Create a key')
    await press('Sign in again')
    expect(dialog().textContent).to.contain('blocked the new tab')
  })
})
