import { describe, expect, it } from 'vitest'
import { testService } from '../../../../testing/service.js'
import { entitySessions } from '../../../../testing/verification.js'

const service = await testService()

const sessions = entitySessions(service)

describe('verifying a phone through its carrier', () => {
  const sna = { type: 'phone', method: 'sna', sna: {} }

  it('returns two URLs for the handset, then the carrier confirms', async () => {
    const { begin, answer, show } = await sessions()
    const begun = (await begin(sna)).body
    expect(begun).toMatchObject({ status: 'in_progress', method: 'sna', error: null })
    const { urls } = begun['sna'] as { urls: string[] }
    expect(urls).toHaveLength(2)
    for (const url of urls) expect(url).toMatch(new RegExp(`/sna/${begun['id']}/sna_vrf_\\w+$`))
    expect((await answer(begun['id'], sna)).body).toMatchObject({ status: 'verified', sna: { urls } })
    expect((await show())['verification']['phone']).toMatchObject({ verified: true, methods: [] })
    const expanded = await service.call(
      'GET',
      `/entities/${begun['entity_id']}?expand[]=phone_latest_verification_session`,
    )
    expect(expanded.body['verification']['phone']['latest_verification_session']).toMatchObject({
      id: begun['id'],
      status: 'verified',
    })
    expect(expanded.body['verification']['identity']['latest_verification_session']).toBeNull()
  })

  it('a number that the carrier does not confirm fails with 19003', async () => {
    const { begin, answer } = await sessions('+15125550198')
    const begun = (await begin(sna)).body['id']
    expect((await answer(begun, sna)).body).toMatchObject({ status: 'failed', error: { code: 19003 } })
  })
})
