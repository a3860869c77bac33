import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { failure, reply } from '../dev/fake.js'
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
