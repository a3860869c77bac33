import { describe, expect, it } from 'vitest'
import { atAllocation, confirmed, LOAN, Person, someone, transferToken } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'
import { paymentsConsent } from '../../session/modes.js'

const service = await testService()

describe('review', () => {
  it('confirming stores the authorization, notifies the customer, and signs a result that their keys verify', async () => {
    const { person, session, accounts } = await confirmed(service, '+15125550110', LOAN, [200_000, 0])
    expect(person.data('done')).toMatchObject({
      allocations: { [accounts[0]!]: 200_000 },
      payout_status: 'pending_release',
      released_at: null,
      editable: true,
    })
    expect(person.view.accounts).toEqual([accounts[0]])
    expect(person.view.events.map(event => event.type)).toEqual([
      'balance_transfer.step.completed',
      'balance_transfer.allocations.confirmed',
      'opal.session.completed',
    ])
    const claims = JSON.parse(Buffer.from(person.view.result!.split('.')[1]!, 'base64url').toString())
    expect(claims).toMatchObject({ sub: session, aud: service.team, allocated: 200_000, accounts: [accounts[0]] })
    expect(claims.exp - claims.iat).toBe(600)
    const consents = await service.store.reader
      .selectFrom('consents')
      .select('document')
      .where('session_id', '=', session)
      .execute()
    expect(consents.map(row => row.document)).toContain('payments')
  })

  it("stores the authorization in the language it was shown in, or else the consent's language", async () => {
    const locales = async (more: Record<string, string>) => {
      const { element_token, session_id } = await transferToken(service, await someone(service, '+15125550110'), LOAN)
      const person = await Person.arrive(service, element_token)
      const { documents } = person.data('consent')
      await person.send({ action: 'accept', documents, locale: 'es-US' })
      await person.arriveAtAccounts()
      const [first] = person.data('selection').accounts.filter(account => account.status === 'ready')
      await person.send({ action: 'select', accounts: [first!.id] })
      await person.send({ action: 'review', allocations: { [first!.id]: 200_000 } })
      await person.send({ action: 'confirm', ...more })
      // The session stores each document's version and the time when the person agreed to it.
      const { agreed, completed_at } = person.data('done')
      expect(agreed.map(({ id, version }) => ({ id, version }))).toEqual([...documents, paymentsConsent])
      expect(agreed.at(-1)!.at).toBe(completed_at)
      return service.store.reader
        .selectFrom('consents')
        .select('locale')
        .where('session_id', '=', session_id)
        .where('document', '=', 'payments')
        .execute()
    }
    expect(await locales({ locale: 'ar' })).toEqual([{ locale: 'ar' }])
    expect(await locales({})).toEqual([{ locale: 'es-US' }])
  })

  it('returns the person to the amounts, with the errors, if the terms changed in the meantime', async () => {
    const { person, accounts, session } = await atAllocation(service, '+15125550110', LOAN)
    await person.send({ action: 'review', allocations: { [accounts[0]!]: 300_000 } })
    await service.call('POST', '/elements/token', {
      type: 'balance_transfer',
      session_id: session,
      balance_transfer: { loan_amount: 200_000 },
    })
    await person.look()
    await person.send({ action: 'confirm' })
    expect(person.view.step).toBe('allocation')
    expect(person.view.errors.map(({ code }) => code)).toContain('exceeds_loan')
  })
})
