import { describe, expect, it, vi } from 'vitest'
import { createTokens, GET_TOKEN_TIMEOUT_MS, type GetToken, type TokenResult, type TokenSource } from './tokens.js'

const tokenOf = (name: string): string => `otkn_${name.padStart(16, '0')}${'s'.repeat(33)}`
const sourceOf = (token: string | null, getToken: GetToken | null = null): TokenSource => ({ token, getToken })

describe('one-time tokens', () => {
  it('returns the held token', async () => {
    const source = sourceOf(tokenOf('a'))
    const tokens = createTokens(source)
    await tokens.hold()
    source.token = tokenOf('b')
    expect(await tokens.give('initial')).toBe(tokenOf('a'))
    expect(await tokens.give('expired')).toBe(tokenOf('b'))
  })

  it('never returns the same token twice, compared by handle', async () => {
    const asked: string[] = []
    const tokens = createTokens(
      sourceOf(tokenOf('a'), reason => {
        asked.push(reason)
        return tokenOf('a')
      }),
    )
    expect(await tokens.give('initial')).toBe(tokenOf('a'))
    expect(await tokens.give('rejected')).toBeNull()
    expect(asked).toEqual(['rejected'])
  })

  it('requests a new token, if it can, rather than open twice with the same one', async () => {
    expect(await holdTwice(sourceOf(tokenOf('a'), () => tokenOf('b')))).toEqual([tokenOf('a'), tokenOf('b')])
    expect(await holdTwice(sourceOf(tokenOf('a')))).toEqual([tokenOf('a'), tokenOf('a')])
  })

  it('does not accept a malformed token', async () => {
    expect(await createTokens(sourceOf('sk_live_secret')).hold()).toBeNull()
    expect(await createTokens(sourceOf(null, () => null as never)).hold()).toBeNull()
  })

  it('reports a failed callback with its cause, or a wrong value without repeating it', async () => {
    const cause = new Error('503')
    expect(await createTokens(sourceOf(null, () => Promise.reject(cause))).hold()).toMatchObject({
      message: "getToken('initial') failed.",
      cause,
    })
    const wrong = await createTokens(sourceOf(null, () => 'sk_live_secret')).give('expired')
    expect(wrong).toBeInstanceOf(Error)
    expect((wrong as Error).message).not.toContain('sk_live')
    expect(await createTokens(sourceOf(null, () => undefined as never)).hold()).toBeInstanceOf(Error)
  })

  it('treats a callback that does not settle as failed after exactly twenty seconds', async () => {
    vi.useFakeTimers()
    const set = vi.spyOn(globalThis, 'setTimeout')
    const cleared = vi.spyOn(globalThis, 'clearTimeout')
    try {
      let taken: TokenResult | undefined
      void Promise.resolve(createTokens(sourceOf(null, () => new Promise(() => undefined))).hold()).then(
        it => (taken = it),
      )
      await vi.advanceTimersByTimeAsync(19_999)
      expect(taken).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      expect(GET_TOKEN_TIMEOUT_MS).toBe(20_000)
      expect(taken).toMatchObject({ cause: { message: 'getToken did not respond within 20 seconds.' } })
      expect(await createTokens(sourceOf(null, async () => tokenOf('a'))).hold()).toBe(tokenOf('a'))
      // Other code may have timers of its own, so check only those of the two callbacks.
      const own = set.mock.results
        .filter((_, i) => set.mock.calls[i]![1] === GET_TOKEN_TIMEOUT_MS)
        .map(({ value }) => value)
      expect(own).toHaveLength(2)
      for (const timer of own) expect(cleared).toHaveBeenCalledWith(timer)
    } finally {
      vi.restoreAllMocks()
      vi.useRealTimers()
    }
  })
})

it('reports that a secret key returned by a page must be revoked, and repeats no value', async () => {
  const said = async (value: unknown) => {
    const taken = await createTokens(sourceOf(null, async () => value as string)).hold()
    return (taken as Error).message
  }
  expect(await said('sk_4f1c9d2e7a')).toContain('It returned a secret key, which must never reach a page: revoke it.')
  expect(await said('hello')).toContain('(pk_elem_…). It returned a string that is not a token.')
  expect(await said(42)).toContain('a value of type number')
  for (const value of ['sk_4f1c9d2e7a', 'hello', 42]) expect(await said(value)).not.toContain(String(value))
})

async function holdTwice(source: TokenSource): Promise<TokenResult[]> {
  const tokens = createTokens(source)
  return [await tokens.hold(), await tokens.hold()]
}
