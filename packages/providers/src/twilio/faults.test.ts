import { withFaults } from '@causeway/connector/emulator/faults'
import { MINUTE_MS } from '@causeway/contract/time'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { callUntilAnswered } from '../testing/emulated.js'
import { setUpTwilio } from '../testing/twilio.js'

const rates = { slow: 0, twice: 0.2, silent: 0.3, broken: 0.2, inARow: 3 }
const faulty = (seed: string) => {
  const met: Record<string, number> = {}
  const twilio = setUpTwilio({
    network(answer) {
      const network = withFaults(answer, {
        faults: rates,
        seed,
        sleep: async () => undefined,
        keyOf: ({ url }) => url,
        groupOf: () => undefined,
      })
      return async request => {
        const response = await network.answer(request)
        Object.assign(met, network.met)
        return response
      }
    },
  })
  const ask = (path: string, request: string, question: unknown) =>
    callUntilAnswered(twilio.exchange, path, twilio.call(request, question))
  return { ...twilio, met, ask }
}
const phoneOf = (person: number) => `+1512555${String(person).padStart(4, '0')}`

it('texts every person and accepts only their own code, whatever is lost, broken or doubled', async () => {
  const { emulator, met, ask } = faulty('codes')
  for (let person = 0; person < 60; person++) {
    const phone = phoneOf(person)
    expect(await ask('identity/send_code', `r${person}`, { phone })).toEqual({ status: 'sent' })
    const verification = emulator.verifications.at(-1)!
    expect(verification).toMatchObject({ to: phone, status: 'pending' })
    const { code } = verification
    const wrong = code === '123456' ? '654321' : '123456'
    expect(await ask('identity/check_code', `r${person}`, { phone, code: wrong })).toEqual({ status: 'incorrect' })
    const { status } = (await ask('identity/check_code', `r${person}`, { phone, code })) as { status: string }
    // Twilio forgets an approval, so a check after a lost answer expires.
    expect(['correct', 'expired']).toContain(status)
    expect(verification.status).toBe('approved')
  }
  for (const fault of ['twice', 'dropped', 'lost', 'hung', 'broken']) expect(met[fault]).toBeGreaterThan(0)
})

const step = fc.oneof(
  fc.record({ do: fc.constant('send' as const), phone: fc.nat(1) }),
  fc.record({ do: fc.constant('check' as const), request: fc.nat(9), phone: fc.nat(1), isRight: fc.boolean() }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 11 }) }),
)

it('never accepts a code that is wrong, expired, used or of another phone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.string(), async (steps, seed) => {
      const { emulator, clock, ask } = faulty(seed)
      const accepted = new Set<string>()
      const requests = ['r']
      for (const each of steps) {
        if (each.do === 'wait') {
          clock.now += each.minutes * MINUTE_MS
          continue
        }
        const phone = phoneOf(each.phone)
        if (each.do === 'send') {
          const id = requests[requests.push(`r${requests.length}`) - 1]!
          const result = await ask('identity/send_code', id, { phone }).catch((error: Error) => error)
          // Five messages or checks of one verification are the limit.
          if (result instanceof Error) expect(result.message).toMatch(/error 6020[23]/)
          expect(emulator.codeOf(phone)).toBeDefined()
          continue
        }
        const valid = emulator.codeOf(phone)
        const code = each.isRight ? (valid ?? '000000') : '999999'
        const id = requests[each.request % requests.length]!
        const answer = (await ask('identity/check_code', id, { phone, code })) as { status: string }
        if (answer.status !== 'correct') continue
        // A repeated check gets the first answer.
        if (!accepted.has(`${id} ${phone} ${code}`)) expect(code).toBe(valid)
        accepted.add(`${id} ${phone} ${code}`)
      }
    }),
    { numRuns: 60 },
  )
})
