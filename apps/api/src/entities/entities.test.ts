import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestService, testService } from '../testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.stop())

const kevin = { type: 'individual', individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101' } }

describe('entities', () => {
  it('4.4 an individual is created and shown whole', async () => {
    const made = await service.call('POST', '/entities', kevin)
    expect(made.text).toContain('ent_')
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ verification: { identity: { matched: true } } })
    const again = await service.call('GET', `/entities/${made.body['id']}`)
    expect(again.body).toEqual(made.body)
  })

  it('links accounts after phone and identity are verified', async () => {
    const made = await service.call('POST', '/entities', kevin)
    const id = made.body['id'] as string
    const sms = await service.call('POST', `/entities/${id}/verification_sessions`, {
      type: 'phone',
      method: 'sms',
      sms: {},
    })
    expect(sms.body).toMatchObject({ status: 'in_progress', sms: {} })
    const put = await service.call('PUT', `/entities/${id}/verification_sessions/${sms.body['id']}`, {
      type: 'phone',
      method: 'sms',
      sms: { sms_code: '123456' },
    })
    expect(put.body).toMatchObject({ status: 'verified' })
    const kba = await service.call('POST', `/entities/${id}/verification_sessions`, {
      type: 'identity',
      method: 'kba',
      kba: {},
    })
    expect(kba.body).toMatchObject({ status: 'verified', kba: { authenticated: true, questions: [] } })
    const connect = await service.call('POST', `/entities/${id}/connect?expand[]=accounts`)
    expect(connect.body).toMatchObject({ status: 'completed' })
    await service.settle()
    const expanded = await service.call('GET', `/entities/${id}?expand[]=connect.accounts.update`)
    console.log(JSON.stringify(expanded.body, null, 1).slice(0, 3000))
    expect(expanded.body).toMatchObject({ status: 'active', products: ['connect'] })
  })
})
