import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { testService } from '../../testing/service.js'
import { createOps } from './ops.js'

const file = fileURLToPath(new URL('../../../../../ops/alerts.yml', import.meta.url))
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const service = await testService()

it('the alert rules name metrics that the service reports', async () => {
  createOps(service.deps, () => true)
  const known = new Set(service.deps.metrics.registry.getMetricsAsArray().map(({ name }) => name))
  const named = readFileSync(file, 'utf8').match(/causeway_\w+/g) ?? []
  expect(named.length).toBeGreaterThan(10)
  const unknown = named.filter(name => !known.has(name.replace(/_(count|bucket|sum)$/, '')) && !known.has(name))
  expect(unknown).toEqual([])
})

it.skipIf(!hasPromtool)('the alert rules pass promtool (skipped where Prometheus is not installed)', () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})
