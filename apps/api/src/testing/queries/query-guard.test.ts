import { DefaultQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import { testService } from '../service.js'

it('the guard sees the statements that the product runs, not those of a test', async () => {
  const service = await testService()
  await service.call('GET', '/team')
  await service.store.reader.selectFrom('teams').select('name').where('name', '=', 'of a test').execute()
  const guard = Reflect.get(DefaultQueryCompiler.prototype, Symbol.for('causeway.query-guard')) as {
    noted: Set<string>
  }
  expect([...guard.noted].filter(sql => sql.includes('"teams"')).length).toBeGreaterThan(0)
  expect([...guard.noted].filter(sql => sql.startsWith('select "name" from "teams"'))).toEqual([])
})
