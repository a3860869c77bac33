import type { consoleSources } from '@causeway/contract/endpoints/console-sources'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { consoleOf } from '../testing/console.js'
import { lender } from '../testing/money.js'
import { testService } from '../testing/service.js'

const service = await testService()
const bank = lender(service)
const { send, signedIn } = consoleOf(service)
const { cookie } = await signedIn(['read'])

const listSources = async () => {
  const reply = await send('GET', '/api/console/sources', { cookie })
  expect(reply.status, reply.text).toBe(200)
  return reply.body as unknown as z.output<(typeof consoleSources.listSources)['answer']>
}
const disable = (id: string, column: 'verified_at' | 'status', value: string | null) =>
  service.store.write(tx =>
    tx
      .updateTable('accounts')
      .set({ [column]: value })
      .where('id', '=', id)
      .execute(),
  )

// kills: own-account-pays-no-loan
it("lists the companies' accounts, with why some can't pay, and no person's account", async () => {
  const main = await bank.source('123456789')
  const unverified = await bank.source('123456780')
  const disabled = await bank.source('123456781')
  await disable(unverified.id, 'verified_at', null)
  await disable(disabled.id, 'status', 'disabled')
  const ach = { routing: '062103000', number: '123450000', type: 'savings' }
  const own = await bank.must('POST', '/accounts', { holder_id: await bank.verified('+15125550101'), ach })
  const source = { name: 'Northwind', type: 'checking', verified: true, is_default: false, why_not: null }
  const listed = [
    { ...source, id: unverified.id, mask: '6780', verified: false, why_not: 'INVALID_SOURCE_CAPABILITIES' },
    { ...source, id: main.id, mask: '6789' },
    { ...source, id: disabled.id, mask: '6781', why_not: 'INVALID_SOURCE' },
  ]
  expect(await listSources()).toEqual({ data: listed, more: false })
  await bank.must('PATCH', '/team', { default_source_account: own.id })
  expect((await listSources()).data).toEqual([
    { ...source, id: own.id, name: 'Kevin Doyle', type: 'savings', mask: '0000', is_default: true },
    ...listed,
  ])
  await bank.must('PATCH', '/team', { default_source_account: main.id })
  expect((await listSources()).data.map(({ id, is_default }) => [id, is_default])).toEqual([
    [unverified.id, false],
    [main.id, true],
    [disabled.id, false],
  ])
})
