import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the types of the React components allow their use in MUI and Radix dialogs', { timeout: 90_000 }, () => {
  const { stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}frameworks`])
  expect(String(stdout)).toBe('')
})
