/**
 * A tool that wraps prose can also join lines within a code block. If two commands end up on one line, the second
 * becomes part of the first one's comment and is never run.
 */
export const sentence = 'Code blocks have one command per line'

const joined = /^(?:pnpm|npx|node) [^#]*#.*(?<!`)\b(?:pnpm [a-z]|npx |node \S+\.[mc]?[jt]s)/

export function check(files) {
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => {
      let inside = false
      return text.split('\n').flatMap((line, index) => {
        if (line.trimStart().startsWith('```')) inside = !inside
        else if (inside && joined.test(line))
          return [`${path}:${index + 1} joins two commands: put each on its own line`]
        return []
      })
    })
}
