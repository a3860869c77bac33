import { describe, expect, it } from 'vitest'
import { testService } from '../../../../testing/service.js'
import { accountSessions } from '../../../../testing/verification.js'

const service = await testService()

const { bank } = accountSessions(service)

describe('a bank account', () => {
  it('that the network verifies is verified from the start', async () => {
    const own = await service.call('GET', `/accounts/${await bank('5550001')}?expand[]=latest_verification_session`)
    expect(own.body).toMatchObject({
      products: ['payment'],
      latest_verification_session: { type: 'auto_verify', status: 'verified', auto_verify: {} },
    })
    const path = `/accounts/${await bank('5550002', '021000021')}?expand[]=latest_verification_session`
    expect((await service.call('GET', path)).body).toMatchObject({
      latest_verification_session: { type: 'trusted_provisioner', trusted_provisioner: {} },
    })
  })
})
