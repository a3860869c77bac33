import { createExchange } from '@causeway/connector/http/exchange'
import { SIGNATURE_HEADER, sign } from '@causeway/connector/http/signature'
import { describe, expect, it } from 'vitest'
import { connectorKeys } from '../../testing/connector/connector.js'

/** Receives these bytes as the connector's signed answer to a call. */
function receive(body: Buffer, path = 'network/balance'): Promise<unknown> {
  const exchange = createExchange({
    url: 'https://connector.example',
    keys: connectorKeys,
    timeout: 1_000,
    clock: Date.now,
    id: () => 'call_1',
    async fetch() {
      const signed = { from: 'connector', about: 'call_1', id: 'answer_1' } as const
      return new Response(body, {
        headers: { [SIGNATURE_HEADER]: await sign(connectorKeys, body, signed, Date.now()) },
      })
    },
  })
  return exchange(path, { request_id: 'r', team_id: 't', now: 0, question: {} } as never)
}

describe("a connector's answer", () => {
  const json = (name: string) => Buffer.from(`{"answer":{"name":"${name}"}}`)

  it.each([
    ['Latin-1', Buffer.from('{"answer":{"name":"Jos\u00e9"}}', 'latin1'), 'not UTF-8'],
    [
      'a cut-off character',
      Buffer.concat([json('').subarray(0, -4), Buffer.from([0xe6]), Buffer.from('"}}')]),
      'not UTF-8',
    ],
    ['an escaped unpaired surrogate', json('\\ud83d'), 'U+0000 or an unpaired surrogate'],
    ['an escaped U+0000', json('a\\u0000'), 'U+0000 or an unpaired surrogate'],
  ])('is not used if it contains %s', async (_what, body, reason) => {
    await expect(receive(body)).rejects.toMatchObject({ outcome: 'unknown', message: expect.stringContaining(reason) })
  })

  it('has at most 20,000 values, except for the tables', async () => {
    const body = Buffer.from(
      JSON.stringify({ answer: { rows: Array.from({ length: 3 }, () => Array(8_000).fill(1)) } }),
    )
    await expect(receive(body)).rejects.toMatchObject({ message: expect.stringContaining('more values than 20000') })
    expect(await receive(body, 'network/tables')).toMatchObject({ rows: { length: 3 } })
  })

  it.each([
    ['UTF-8', json('Jos\u00e9 \u{1f338}'), 'Jos\u00e9 \u{1f338}'],
    ['escaped surrogate pairs', json('\\ud83c\\udf38'), '\u{1f338}'],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json('Ana')]), 'Ana'],
  ])('may contain %s', async (_what, body, name) => {
    expect(await receive(body)).toEqual({ name })
  })
})
