import { describe, expect, it } from 'vitest'
import { contrasts, errorOf, rejectionOf, timestamp } from '../../testing/contract/cases.js'
import { atSelection, LOAN, Person, someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const entity = await someone(service, '+15125550101')

describe.each(contrasts)('Opal tokens, $name', ({ mount, headers }) => {
  const make = (body: unknown) => service.call('POST', `${mount}/opal/token`, body, headers)
  const rejection = async (body: unknown) => rejectionOf(await make(body))
  const asOpal = (token: string, path = '/opal/token', method = 'GET') =>
    service.call(method, mount + path, undefined, { ...headers, authorization: `Bearer ${token}` })
  const token = async (body: unknown) => (await make(body)).body['data'] as { token: string; session_id: string }

  it('are returned with three keys, enveloped once on either mount', async () => {
    const reply = await make({ mode: 'connect', entity_id: entity })
    expect(reply.body).toEqual({
      success: true,
      data: {
        token: expect.stringMatching(/^otkn_[0-9A-Za-z]{49}$/),
        session_id: expect.stringMatching(/^osess_\w{13}$/),
        valid_until: new Date(service.deps.clock() + 30 * 60_000).toISOString(),
      },
      message: null,
    })
  })

  it('accept an empty transactions block, either at the top level or nested inside itself', async () => {
    const body = { mode: 'transactions', entity_id: entity }
    expect((await make({ ...body, transactions: {} })).status).toBe(200)
    expect((await make({ ...body, transactions: { transactions: {} } })).status).toBe(200)
    expect(await rejection({ ...body, transactions: { transactions: { all: true } } })).toBe('INVALID_REQUEST')
  })

  it('require exactly one of entity_id, entity and session_id, and a known mode', async () => {
    const inline = { type: 'individual', individual: {} }
    expect((await make({ mode: 'connect', entity: inline })).status).toBe(200)
    expect(await rejection({ mode: 'connect' })).toBe('INVALID_REQUEST')
    expect(await rejection({ mode: 'connect', entity_id: entity, entity: inline })).toBe('INVALID_REQUEST')
    expect(await rejection({ entity_id: entity })).toBe('INVALID_REQUEST')
    expect(await rejection({ mode: 'card_connect', entity_id: entity })).toBe('INVALID_REQUEST')
    expect(await rejection({ mode: 'connect', entity_id: 'ent_unknown' })).toBe('INVALID_ENTITY')
    expect(await rejection({ session_id: 'osess_unknown' })).toBe('NOT_FOUND')
    const account_verification = { account_id: 'acc_unknown' }
    const { body } = await make({ mode: 'account_verification', entity: inline, account_verification })
    expect(errorOf(body).message).toBe('entity_id is required for account_verification: the id of an existing entity.')
    expect(await rejection({ mode: 'connect', entity: { type: 'corporation', corporation: { name: 'N' } } })).toBe(
      'INVALID_REQUEST',
    )
  })

  it('with a session_id continue that session, and reject a different mode or person', async () => {
    const { session_id } = await token({ mode: 'balance_transfer', entity_id: entity, balance_transfer: LOAN })
    const again = await token({ session_id, entity_id: entity })
    expect(again.session_id).toBe(session_id)
    expect((await token({ session_id, mode: 'balance_transfer' })).session_id).toBe(session_id)
    expect(await rejection({ session_id, mode: 'connect' })).toBe('INVALID_MODE_CONFIG')
    const other = await someone(service, '+15125550101')
    expect(await rejection({ session_id, entity_id: other })).toBe('INVALID_REQUEST')
    const asElement = { type: 'balance_transfer', session_id, entity_id: other }
    expect((await service.call('POST', '/elements/token', asElement)).status).toBe(400)
  })

  it('reveal nothing about a person who withdrew', async () => {
    const { id } = (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body
    const { token: text } = await token({ mode: 'connect', entity_id: id })
    await service.call('POST', `/entities/${id}/consent`, { type: 'withdraw' })
    const data = (await asOpal(text)).body['data'] as Record<string, unknown>
    expect(data['entity']).toMatchObject({ id, individual: null, address: null, status: 'disabled' })
  })

  const transfer = () => token({ mode: 'balance_transfer', entity_id: entity, balance_transfer: LOAN })

  it('return their session', async () => {
    const { token: text, session_id } = await transfer()
    const view = await asOpal(text)
    expect(view.body['data']).toEqual({
      id: session_id,
      mode: 'balance_transfer',
      entity_id: entity,
      step: null,
      bt: expect.objectContaining({ ...LOAN, payout_status: 'pending_release' }),
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
      config: expect.objectContaining({ name: 'Northwind Lending', appearance: 'system' }),
      entity: {
        id: entity,
        individual: null,
        address: null,
        status: 'incomplete',
        verification: { identity: { matched: true, verified: false }, phone: { verified: false } },
      },
      idv: { completed: false },
      cxn: { completed: false, accounts: [] },
      avf: null,
      txn: null,
      completed_at: null,
    })
  })

  it("return their session's events", async () => {
    const { token: text } = await transfer()
    expect((await asOpal(text, '/opal/events')).body['data']).toEqual([])
    await Person.arrive(service, text)
    const events = (await asOpal(text, '/opal/events')).body['data'] as unknown[]
    expect(events[0]).toEqual({
      type: 'opal.session.started',
      mode: 'balance_transfer',
      object: 'session',
      action: 'started',
      timestamp: expect.stringMatching(timestamp),
      data: null,
    })
  })

  it('return nothing after deactivation', async () => {
    const { token: text } = await transfer()
    await Person.arrive(service, text)
    expect((await asOpal(text, '/opal/token', 'DELETE')).body).toEqual({ success: true, data: null, message: null })
    for (const path of ['/opal/token', '/opal/events'])
      expect([path, (await asOpal(text, path)).status]).toEqual([path, 401])
  })

  // kills: person-only-after-proof
  it('show the person only if a phone proof would admit them without a code', async () => {
    const { entity } = await atSelection(service, '+15125550110')
    const person = async (more: Record<string, unknown> = {}) => {
      const { token: text } = await token({ mode: 'connect', entity_id: entity, ...more })
      return (await asOpal(text)).body['data']['entity']
    }
    const shown = { individual: expect.objectContaining({ first_name: 'Kevin', ssn: null }), address: {} }
    expect(await person()).toMatchObject(shown)
    const hidden = { individual: null, address: null }
    expect(await person({ phone_proof_days: 0 })).toMatchObject(hidden)
    expect(await person({ redirect_url: 'http://127.0.0.1:9/back' })).toMatchObject(hidden)
    const { token: text } = await token({ mode: 'connect', entity_id: entity })
    service.advance(1_860_000)
    expect((await asOpal(text)).body['data']['entity']).toMatchObject(hidden)
  })

  it('with a wrong secret, or replaced by a secret key, return 401', async () => {
    const { token: text } = await token({ mode: 'connect', entity_id: entity })
    for (const wrong of [
      `${text.slice(0, -1)}!`,
      `otkn_${'a'.repeat(49)}`,
      service.key,
      '',
      text.replace('otkn_', 'pk_elem_'),
    ])
      expect((await asOpal(wrong)).status).toBe(401)
  })

  it('cannot be used as element tokens, or the reverse', async () => {
    const body = { type: 'connect', entity_id: entity, connect: {} }
    const { element_token } = (await service.call('POST', '/elements/token', body)).body
    const renamed = (element_token as string).replace('pk_elem_', 'otkn_')
    for (const method of ['GET', 'DELETE']) expect((await asOpal(renamed, '/opal/token', method)).status).toBe(401)
    expect((await Person.arrive(service, element_token)).view.step).toBe('consent')
  })

  it('of a hosted link reveal nothing about the person: a holder of the link still needs the code', async () => {
    const { token: text } = await token({ mode: 'connect', entity_id: entity, redirect_url: 'http://127.0.0.1:9/back' })
    const data = (await asOpal(text)).body['data'] as Record<string, unknown>
    expect(data['entity']).toMatchObject({ id: entity, individual: null, address: null })
  })

  it('return only their own events', async () => {
    const first = await token({ mode: 'balance_transfer', entity_id: entity, balance_transfer: LOAN })
    const second = await token({ session_id: first.session_id })
    await Person.arrive(service, first.token)
    expect((await asOpal(second.token, '/opal/events')).body['data']).toEqual([])
  })
})
