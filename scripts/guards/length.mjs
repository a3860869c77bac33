/**
 * A file that needs scrolling to be understood should usually be split in two. A file longer than 350 lines must
 * explain near its top why it is a single file, in a comment with the words "Long because".
 */
export const sentence = 'Long files say why'

const LIMIT = 350
const measured = /\.(?:ts|tsx|mjs|js|css|sh|html)$|^\.ci\//

export function check(files) {
  return files
    .filter(({ path }) => measured.test(path) && !/\.gen\./.test(path))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n') }))
    .filter(({ lines }) => lines.length > LIMIT && !/\blong because\b/i.test(lines.slice(0, 20).join(' ')))
    .map(
      ({ path, lines }) =>
        `${path} has ${lines.length} lines: split it, or say "Long because ..." in its first comment`,
    )
}
