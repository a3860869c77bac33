import type { Score } from '@causeway/contract/products/credit-score'
import { lowestId } from '../../platform/crypto/random.js'
import { pick } from '../digest.js'
import { delays } from '../tables/inputs.js'
import type { Person } from '../tables/people.js'
import { factors } from '../tables/registers.js'
import { snapshotTime } from '../updates.js'
import type { SandboxProductWith } from './answer.js'

/** Returns a single score without factors. */
export const oneScore = (score: number, now: number): Score => ({
  score,
  source: 'equifax',
  model: 'vantage_4',
  factors: [],
  created_at: new Date(now).toISOString(),
})

/** Returns scores that vary by a few points each month. */
function scoresOf({ reference, bureaus }: Person, now: number): Score[] {
  const at = snapshotTime(now)
  const score = 640 + pick(150, 'score', reference) + pick(10, 'month', reference, at)
  const first = pick(factors.length, 'factor', reference)
  return (['equifax', 'transunion'] as const).slice(0, bureaus ?? 1).map((source, index) => ({
    score: score - index * 3,
    source,
    model: 'vantage_4',
    factors: [factors[first]!, factors[(first + 1) % factors.length]!],
    created_at: new Date(at).toISOString(),
  }))
}

export const creditScore: SandboxProductWith<'creditScore'> = {
  answers: world => ({
    async creditScore({ person: reference, monthly, now, request_id }) {
      const person = await world.person(reference)
      if (!person || person.fails) return { status: 'failed', code: 23001 }
      // A requested score takes a few seconds. The request's id contains the time of the request.
      const isDue = request_id <= lowestId('credit_score', now - delays.creditScore + 1)
      return monthly || isDue
        ? { status: 'completed', scores: scoresOf(person, now) }
        : { status: 'pending', again_in: delays.creditScore }
    },
  }),
}
