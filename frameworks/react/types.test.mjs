import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the React components have types that fit their use in the dialogs of MUI and Radix', { timeout: 90_000 }, () => {
  const { stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}frameworks`])
  expect(String(stdout)).toBe('')
})
