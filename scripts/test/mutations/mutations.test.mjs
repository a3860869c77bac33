import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { mutated } from './mutation.mjs'
import { mutations } from './mutations.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const texts = new Map()
const textOf = file => {
  if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'))
  return texts.get(file)
}

it('every mutation changes text that its file contains exactly once', () => {
  for (const each of mutations) expect(mutated(textOf(each.file), each)).not.toBe(textOf(each.file))
})
