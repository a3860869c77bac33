import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { reports } from '../../platform/db/migrations/0017-reports.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

it('what was asked for before files were kept is made, and what failed before is known to have', async () => {
  const service = await testService()
  const { must, source, debts } = lender(service)
  const { accounts } = await debts()
  const payment = { amount: 100, source: (await source()).id, destination: accounts[0]!.id, description: 'x' }
  const { id: failed } = await must('POST', '/payments', payment)
  await must('POST', `/simulate/payments/${failed}`, { status: 'processing' })
  await must('POST', `/simulate/payments/${failed}`, { status: 'failed', error_code: 10001 })
  await must('POST', '/payments', payment)
  service.advance(86_400_000)
  const { id } = await must('POST', '/reports', { type: 'payments.failed.previous_day' })
  const { engine, write } = service.store
  await write(async tx => {
    await sql`drop table report_parts`.execute(tx)
    await sql`drop index payments_failed`.execute(tx)
    await sql`alter table reports drop column file`.execute(tx)
    await sql`alter table payments drop column failed_at`.execute(tx)
    for (const statement of reports({ id: 'text', engine })) await sql.raw(statement).execute(tx)
  })
  expect(await must('GET', `/reports/${id}`)).toMatchObject({ status: 'processing' })
  await service.settle()
  const { text } = await service.call('GET', `/reports/${id}/download`)
  expect(
    text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map(line => line.split(',')[0]),
  ).toEqual([failed])
  await service.stop()
})
