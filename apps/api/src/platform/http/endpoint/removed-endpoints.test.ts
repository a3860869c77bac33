import { endpoints } from '@causeway/contract/endpoints/table'
import { removedEndpoints, replacementOf } from '@causeway/contract/removed-endpoints'
import { versions } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../../testing/contract/cases.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

describe('9.1 an endpoint that 2024-04-04 removed', () => {
  it.each(removedEndpoints)('$path is 404 and names its replacement, in every version', async ({ path, instead }) => {
    for (const version of versions)
      for (const mount of ['', '/enveloped']) {
        const shown = path.replace(':ent_id', 'ent_x').replace(':acc_id', 'acc_x')
        const reply = await service.call('POST', mount + shown, {}, { 'service-version': version })
        expect([reply.status, errorOf(reply.body)]).toEqual([
          404,
          expect.objectContaining({ sub_type: 'NOT_FOUND', message: expect.stringContaining(instead) }),
        ])
      }
  })

  it('names existing endpoints', () => {
    const shapes = new Set(endpoints.map(({ path }) => path.replace(/:\w+/g, '{}')))
    for (const { instead } of removedEndpoints)
      for (const [path] of instead.matchAll(/\/[\w/{}]+/g)) expect(shapes).toContain(path.replace(/{\w+}/g, '{}'))
  })

  it('is never one that the service still serves', () => {
    for (const { path } of endpoints) expect(replacementOf(path)).toBeUndefined()
  })

  it('also covers the paths below it, and the service checks authentication first', async () => {
    const reply = await service.call('GET', '/accounts/acc_x/syncs/sync_y')
    expect(errorOf(reply.body).message).toContain('/accounts/{acc_id}/updates')
    const stranger = await service.call('GET', '/bins', undefined, { authorization: '' })
    expect(stranger.status).toBe(401)
  })
})
