import { OutsideError } from '@causeway/connector/ports/outside-error'
import { expect, test } from 'vitest'
import { call, payment, testSandbox } from '../fixtures.js'
import { type FaultMode, withFaults } from './faults.js'

/** Creates a sandbox that simulates faults only for team_1. */
function broken(faults: Partial<Record<'network' | 'identity' | 'rail', FaultMode>>) {
  const waits: number[] = []
  const sleep = async (ms: number) => {
    waits.push(ms)
  }
  const ports = withFaults(
    testSandbox(),
    async (team, target) => (team === 'team_1' ? (faults[target] ?? null) : null),
    {
      sleep,
    },
  )
  return { ...ports, waits }
}
const balance = { ...call, account: 'sbd_0001' }
const owed = { status: 'completed', amount: 521_240 }

test('a slow component responds as usual, but three seconds later', async () => {
  const { network, waits } = broken({ network: 'slow' })
  expect(await network.balance(balance)).toEqual(owed)
  expect(waits).toEqual([3000])
})

test('a failing component is unavailable for every call', async () => {
  const { rail } = broken({ rail: 'failing' })
  const all = { ...call, ...payment('123456789', 'sbd_0001') }
  for (const ask of [rail.accepts, rail.submit, rail.cancel, rail.status])
    await expect(ask(all)).rejects.toBeInstanceOf(OutsideError)
})

test('other components, other teams and the merchant table keep working', async () => {
  const { network, identity } = broken({ network: 'failing' })
  expect(await identity.sendCode({ ...call, phone: '+15125550100' })).toEqual({ status: 'sent' })
  expect(await network.balance({ ...balance, team_id: 'team_2' })).toEqual(owed)
  expect(network.merchants(['mch_3'])).toHaveLength(1)
})

test('every call works without a fault', async () => {
  const { network } = broken({})
  expect(await network.balance(balance)).toEqual(owed)
})

test('a flapping component fails every other call for a resource, so one retry is enough', async () => {
  const { network } = broken({ network: 'flapping' })
  const ask = () =>
    network.balance(balance).then(
      () => 'answer',
      () => 'failure',
    )
  const seen = [await ask(), await ask(), await ask(), await ask()]
  expect(seen.slice(0, 2).sort()).toEqual(['answer', 'failure'])
  expect(seen.slice(2)).toEqual(seen.slice(0, 2))
})

test("some resources' first call fails, and others' first call succeeds", async () => {
  const { network } = broken({ network: 'flapping' })
  const first = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      network.balance({ ...balance, request_id: `bal_${index}` }).then(
        () => 'answer',
        () => 'failure',
      ),
    ),
  )
  expect(new Set(first)).toEqual(new Set(['answer', 'failure']))
})
