import { expect } from '@open-wc/testing'
import { readTextMessage } from './otp.js'

it('aborts several overlapping requests without crashing the page', async () => {
  // Chromium closes the page if a script aborts the same request twice. Repeat the sequence to detect that crash.
  for (let turn = 0; turn < 20; turn += 1) {
    const ends = [new AbortController(), new AbortController(), new AbortController()]
    const codes = ends.map(({ signal }) => readTextMessage(window, signal))
    for (const end of ends) end.abort()
    expect(await Promise.all(codes)).to.deep.equal([null, null, null])
  }
})

it('aborts only the latest request, and returns no code from an aborted one', async () => {
  const signals: AbortSignal[] = []
  const given: ((found: { code: string }) => void)[] = []
  const get = ({ signal }: { signal: AbortSignal }) => {
    signals.push(signal)
    return new Promise(resolve => given.push(resolve))
  }
  const page = { OTPCredential: class {}, navigator: { credentials: { get } } } as unknown as Window
  const [first, second] = [new AbortController(), new AbortController()]
  const codes = [readTextMessage(page, first.signal), readTextMessage(page, second.signal)]
  first.abort()
  second.abort()
  expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, true])
  for (const give of given) give({ code: '419023' })
  expect(await Promise.all(codes)).to.deep.equal([null, null])
})
