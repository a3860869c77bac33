import { describe, expect, it } from 'vitest'
import { openStates } from '../../../notify/events/states.js'
import { rejectionOf, timestamp } from '../../../testing/contract/cases.js'
import { someone } from '../../../testing/frame.js'
import { lender } from '../../../testing/money.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const entity = await lender(service).verified('+15121231111')

const times = { created_at: expect.stringMatching(timestamp), updated_at: expect.stringMatching(timestamp) }

describe('identities', () => {
  it('show every matching person in full, if the entity is not verified', async () => {
    const person = await someone(service, '+16505551115')
    const { body } = await service.call('POST', `/entities/${person}/identities`)
    expect(body).toEqual({
      id: expect.stringMatching(/^idn_\w{13}$/),
      entity_id: person,
      status: 'completed',
      identities: ['111223333', '123456789'].map(ssn => ({
        first_name: 'KEVIN',
        last_name: 'DOYLE',
        phone: '+16505551115',
        dob: '1997-03-18',
        address: { address: '3300 N INTERSTATE 35', city: 'AUSTIN', state: 'TX', postal_code: '78705' },
        ssn,
      })),
      error: null,
      ...times,
    })
    expect((await service.call('GET', `/entities/${person}/identities/${body['id']}`)).body).toEqual(body)
    expect((await service.call('GET', `/entities/${person}?expand[]=identity`)).body['identity']).toEqual(body)
    expect((await service.call('GET', `/entities/${person}`)).body).not.toHaveProperty('identity')
  })

  it('show one candidate for a known person', async () => {
    const { body } = await service.call('POST', `/entities/${entity}/identities`)
    expect(body['identities']).toHaveLength(1)
  })

  it('are encrypted at rest and appear in no event, and each read is in the audit log', async () => {
    const person = await someone(service, '+16505551115')
    const { id } = (await service.call('POST', `/entities/${person}/identities`, {}, { 'idempotency-key': 'idn' })).body
    await service.call('GET', `/entities/${person}/identities/${id}`)
    await service.call('GET', `/entities/${person}/identities`)
    await service.call('GET', `/entities/${person}?expand[]=identity`)
    const { reader } = service.store
    const row = await reader.selectFrom('records').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.data).toMatch(/^v1\./)
    const reads = await reader.selectFrom('audit').selectAll().where('resource_id', '=', id).execute()
    expect(reads.map(read => read.action)).toEqual(Array(4).fill('identity.read'))
    const team = (await service.deps.teamOf(service.team))!
    const own = service.deps.vault.sealer(team.id, team.dataKey)
    for (const event of await reader.selectFrom('events').selectAll().where('resource_id', '=', id).execute()) {
      const states = openStates(own, event)
      expect(Object.keys(states.data)).toEqual(['id', 'entity_id', 'status', 'error', 'created_at', 'updated_at'])
      expect(JSON.stringify(states)).not.toContain('DOYLE')
    }
  })

  it('require a name and a phone', async () => {
    const { id } = (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body
    expect(rejectionOf(await service.call('POST', `/entities/${id}/identities`))).toBe('ENTITY_VERIFICATION_MISSING')
  })
})
