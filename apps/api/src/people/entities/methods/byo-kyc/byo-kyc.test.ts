import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../../../../testing/contract/cases.js'
import { testService } from '../../../../testing/service.js'
import { entitySessions } from '../../../../testing/verification.js'

const service = await testService()

const sessions = entitySessions(service)

describe('verifying an identity', () => {
  it("the customer's own check requires a team that supports it, and a known person", async () => {
    const own = { type: 'identity', method: 'byo_kyc', byo_kyc: {} }
    const { begin, show } = await sessions()
    expect(rejectionOf(await begin(own))).toBe('UNAUTHORIZED_VERIFICATION_METHOD')
    const { identity_methods } = (await service.call('GET', '/team')).body as { identity_methods: string[] }
    await service.call('PATCH', '/team', { identity_methods: [...identity_methods, 'byo_kyc'] })
    expect((await show())['verification']['identity']['methods']).toEqual(['element', 'opal', 'kba', 'byo_kyc'])
    expect((await begin(own)).body).toMatchObject({ status: 'verified', byo_kyc: { authenticated: true } })
    expect((await show())['verification']['identity']).toMatchObject({ verified: true, methods: [] })
    const unmatched = await sessions('+15125550103')
    expect(rejectionOf(await unmatched.begin(own))).toBe('MISSING_IDENTITY_MATCH')
    await service.call('PATCH', '/team', { identity_methods })
  })
})
