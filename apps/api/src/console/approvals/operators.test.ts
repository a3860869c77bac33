import { describe, expect, it } from 'vitest'
import { consoleOf } from '../../testing/console.js'
import { consoleUsersOf, newEmail, secretOf } from '../../testing/console-users.js'
import { testService } from '../../testing/service.js'
import { storePolicy } from './store.js'

const service = await testService()
const { deps } = service
const desk = consoleOf(service)
const { send } = desk
const { accept, run, post } = consoleUsersOf(service, desk)

const invited = async (email = newEmail()) =>
  secretOf((await run('console', 'invite', email, '--team', service.team, '--operator'))['link'])
const ines = await accept(await invited('ines@example.com'), 'Ines Farrow')

const stateOf = async (cookie: string) =>
  (await send('GET', '/api/operator/health', { cookie })).body['payments_start'] as object
const command = 'pnpm admin payments start all'
const reason = 'The rail is fixed'
const start = (cookie: string) =>
  send('POST', '/api/operator/payments/start', {
    ...{ cookie, body: { team: 'all', confirm: 'START ALL', reason }, headers: { 'approval-reason': 'We may' } },
  })
const stop = (cookie: string) => post('/operator/payments/stop', { team: 'all', confirm: 'STOP ALL', reason }, cookie)

describe('an operator who lifts a stop', () => {
  it('needs no other person where money needs none', async () => {
    expect(await stateOf(ines.cookie)).toEqual({ needs: 'nothing', operators: [], command })
    expect((await stop(ines.cookie)).status).toBe(200)
    expect((await start(ines.cookie)).status).toBe(200)
  })

  // kills: start-has-second-operator
  it('is refused at once, with the command, if no other person is an operator', async () => {
    await service.store.write(tx => storePolicy(tx, service.team, 1_000, deps.clock()))
    // A second user of the same mailbox is not a second person.
    await accept(await invited('ines+two@example.com'), 'Ines F')
    expect(await stateOf(ines.cookie)).toEqual({ needs: 'second_operator', operators: [], command })
    await stop(ines.cookie)
    const refused = await start(ines.cookie)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(command)])
    expect((await send('GET', '/api/console/approvals', { cookie: ines.cookie })).body['data']).toEqual([])
  })

  it('asks another operator, if there is one whom they did not invite', async () => {
    const { body } = await post('/console/users', { email: newEmail(), role: 'admin', operator: true }, ines.cookie)
    await accept(secretOf((body['invitation'] as { link: string }).link), 'Gil Stone')
    expect(await stateOf(ines.cookie)).toMatchObject({ operators: [] })
    const hal = await accept(await invited(), 'Hal Reed')
    expect(await stateOf(ines.cookie)).toMatchObject({ operators: ['Hal Reed'] })
    const asked = await start(ines.cookie)
    expect(asked.status).toBe(202)
    const { id } = asked.body['approval'] as { id: string }
    expect((await post(`/console/approvals/${id}/approve`, {}, hal.cookie)).body).toMatchObject({ status: 'approved' })
  })

  it('learns that only a command lifts the stop of a command, which always works', async () => {
    await run('payments', 'stop', 'all')
    expect(await stateOf(ines.cookie)).toMatchObject({ needs: 'command', command })
    expect((await start(ines.cookie)).text).toContain(command)
    await run('payments', 'start', 'all')
    expect(await stateOf(ines.cookie)).toMatchObject({ needs: 'second_operator' })
  })
})
