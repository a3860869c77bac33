import { describe, expect, it } from 'vitest'
import { lender } from '../../../testing/money.js'
import { eventsOf as eventsIn } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const eventsOf = eventsIn(service)

describe('vehicles', () => {
  it('come immediately', async () => {
    const person = await lender(service).verified('+15121231122')
    const { body } = await service.call('POST', `/entities/${person}/vehicles`, {})
    expect(body).toMatchObject({ entity_id: person, status: 'completed', error: null })
    expect(body['vehicles']).toEqual([
      {
        vin: expect.any(String),
        year: '2019',
        make: 'Toyota',
        model: 'RAV4',
        series: null,
        major_color: 'Silver',
        style: 'SUV',
      },
    ])
    expect((await service.call('GET', `/entities/${person}?expand[]=vehicle`)).body['vehicle']).toEqual(body)
    expect(await eventsOf(body['id'])).toEqual(['entity_vehicle.create', 'entity_vehicle.update'])
  })
})
