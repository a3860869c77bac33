/**
 * If readers must scroll through a file to understand it, it should usually be split in two. A file longer than 350
 * lines must explain near its top why it is a single file, in a comment with the words "Long because". The README has
 * at most 150 lines, because newcomers read it from top to bottom.
 */
export const sentence = 'Long files explain why'

const LIMIT = 350
const README_LIMIT = 150
const measured = /\.(?:ts|tsx|mjs|js|css|sh|html)$|^\.ci\//

/** Returns the lines, without the comments of mutation tests. */
const linesOf = text =>
  text
    .trimEnd()
    .split('\n')
    .filter(line => !/^\s*\/\/ (?:mutant|kills)\b/.test(line))

export function check(files) {
  const long = files
    .filter(({ path }) => measured.test(path) && !/\.gen\./.test(path))
    .map(({ path, text }) => ({ path, lines: linesOf(text) }))
    .filter(({ lines }) => lines.length > LIMIT && !/\blong because\b/i.test(lines.slice(0, 20).join(' ')))
    .map(
      ({ path, lines }) =>
        `${path} has ${lines.length} lines: split it, or say "Long because ..." in its first comment`,
    )
  const readme = files.find(({ path }) => path === 'README.md')
  const length = readme ? linesOf(readme.text).length : 0
  if (length > README_LIMIT)
    long.push(`README.md has ${length} lines: move details to docs/, so that it has at most ${README_LIMIT}`)
  return long
}
