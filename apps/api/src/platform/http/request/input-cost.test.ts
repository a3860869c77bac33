import { newEntity } from '@causeway/contract/endpoints/entities'
import { expect, it } from 'vitest'
import { MAX_CPU_MS, measureCpuMs } from '../../../testing/cost.js'

const emails = {
  accepts: ['ana@reyes.example', "o'brien+loan@mail.reyes.example", 'josé@reyés.example', 'a@b.co'],
  rejects: [
    'a@b.c',
    'ana',
    'ana@',
    '@reyes.example',
    'ana@reyes',
    'ana@reyes.',
    'ana@.example',
    'a@b@c.d',
    'a b@c.d',
    'a@b..c',
  ],
}
const isEmail = (email: string) => newEntity.safeParse({ type: 'individual', individual: { email } }).success

it.each(emails.accepts)('accepts %s as an email address', email => {
  expect(isEmail(email)).toBe(true)
})
it.each(emails.rejects)('rejects %s as an email address', email => {
  expect(isEmail(email)).toBe(false)
})

it('checks an email address in time proportional to its length', async () => {
  for (const email of [`a@${'.'.repeat(20_000)} `, `${'a'.repeat(20_000)}@`, `a@${'b.'.repeat(20_000)}`])
    expect(await measureCpuMs(() => isEmail(email))).toBeLessThan(MAX_CPU_MS)
})
