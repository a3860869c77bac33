/** Checks that every link leads to an existing file and heading. */
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { readPage } from './markdown.mjs'
import { pages, root } from './pages.mjs'

const isOutside = to => /^[a-z]+:/.test(to)
const read = new Map(pages.map(path => [path, readPage(path)]))

function problem(path, to) {
  const [file, anchor] = to.split('#')
  const target = file === '' ? path : posix.join(posix.dirname(path), decodeURI(file))
  if (target.startsWith('..') || !existsSync(join(root, target))) return 'there is no such file'
  if (anchor === undefined) return null
  return read.get(target)?.anchors.includes(anchor) ? null : 'there is no such heading'
}

test('no link on any page is broken', () => {
  const dead = [...read.values()].flatMap(({ path, links }) =>
    links
      .filter(({ to }) => !isOutside(to))
      .map(({ to, line }) => ({ place: `${path}:${line} ${to}`, why: problem(path, to) }))
      .filter(({ why }) => why !== null),
  )
  expect(dead).toEqual([])
})

test('links to other hosts use https, and none points to this machine', () => {
  const outside = [...read.values()].flatMap(({ links }) => links.filter(({ to }) => isOutside(to)))
  expect(outside.filter(({ to }) => !to.startsWith('https://'))).toEqual([])
})

test('the list of guides includes every guide', () => {
  const listed = read.get('docs/guides/README.md').links.map(({ to }) => `docs/guides/${to}`)
  expect(
    pages.filter(path => path.startsWith('docs/guides/') && !path.endsWith('README.md') && !listed.includes(path)),
  ).toEqual([])
})
