import { networkMethods } from '@causeway/connector/methods/network-methods'
import { safeParse } from '@causeway/connector/wire/proto-member'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createConnectorCaller } from '../../../network/connectors/ask.js'
import { lender } from '../../../testing/money.js'
import { testService } from '../../../testing/service.js'

const proto = '{"__proto__":{"polluted":true,"__proto__":1}}'
const parsed = () => JSON.parse(proto) as object

describe('a member named __proto__', async () => {
  const service = await testService()

  const send = async (method: string, path: string, text?: string) => {
    const reply = await service.call(method, path, text)
    return [reply.status, reply.text] as const
  }

  it('is stored and returned in a block of a linking provider', async () => {
    const bank = lender(service)
    const path = `/accounts/${(await bank.source()).id}/verification_sessions`
    const { id } = await bank.must('POST', path, { type: 'plaid', plaid: {} })
    const block = `{"balances":${proto},"transactions":[${proto}]}`
    for (const [status, text] of [
      await send('PUT', `${path}/${id}`, `{"type":"plaid","plaid":${block}}`),
      await send('GET', `${path}/${id}`),
    ]) {
      expect(status).toBe(200)
      expect(text).toContain(block)
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each(['', '/enveloped'])('is stored and returned in metadata under %s/', async mount => {
    const body = `{"type":"corporation","corporation":{"name":"Northwind"},"metadata":${proto}}`
    const [status, text] = await send('POST', `${mount}/entities`, body)
    expect(status).toBe(200)
    expect(text).toContain(`"metadata":${proto}`)
  })

  it('is named in an error as the client sent it', async () => {
    const [status, text] = await send('PATCH', '/team', '{"__proto__":1}')
    expect([status, text]).toEqual([400, expect.stringContaining('The body has an unknown field: __proto__.')])
  })

  it("is part of a connector's answer", async () => {
    const ask = createConnectorCaller({
      exchange: async () => ({ status: 'completed', as_of: 1, data: parsed() }),
      sentCalls: { recordSend: async () => false },
      sleep: async () => {},
      log: () => {},
    })
    const answer = await ask('network/update', networkMethods.update, { request_id: 'a', team_id: 'b', now: 1 })
    expect(JSON.stringify(answer)).toBe(`{"status":"completed","as_of":1,"data":${proto}}`)
  })
})

describe('checking a value with such a member', () => {
  const record = z.object({ a: z.record(z.string().max(9), z.number()) })
  it('applies the schema to it', () => {
    const check = (text: string) => safeParse(record, JSON.parse(text))
    expect(JSON.stringify(check('{"a":{"__proto__":1,"__p0000__":2}}'))).toBe(
      '{"success":true,"data":{"a":{"__proto__":1,"__p0000__":2}}}',
    )
    expect(check('{"a":{"__proto__":"x"}}')).toMatchObject({ success: false, issues: [{ path: ['a', '__proto__'] }] })
  })
})
