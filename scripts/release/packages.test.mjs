import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { problems, publishable, withRepository } from './packages.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('publishes these packages, with all metadata that a registry shows', () => {
  const packages = publishable(root)
  expect(packages.map(({ manifest }) => manifest.name).sort()).toEqual(
    ['cli', 'connector', 'contract', 'elements', 'opal-react', 'opal-react-native', 'react', 'sdk', 'testing'].map(
      name => `@causeway/${name}`,
    ),
  )
  expect(problems(packages)).toEqual([])
  expect(problems(packages, `v${packages[0].manifest.version}`)).toEqual([])
})

it('rejects a tag of another version, and a package without its license', () => {
  const [sdk] = publishable(root)
  expect(problems([sdk], 'v99.0.0').join()).toContain('not 99.0.0: run `pnpm changeset version`')
  const bare = { folder: `${root}scripts`, manifest: { name: 'a', version: '1.0.0' } }
  expect(problems([bare])).toEqual([
    'a has no LICENSE',
    'a has no README.md',
    'a must name its license, MIT',
    'a must list its files',
  ])
})

it('names the repository and folder of a package', () => {
  expect(withRepository({ name: 'a' }, 'https://git.example/a/b', 'packages/a')).toEqual({
    name: 'a',
    repository: { type: 'git', url: 'git+https://git.example/a/b.git', directory: 'packages/a' },
  })
})
