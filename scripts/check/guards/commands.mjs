/**
 * A tool that wraps prose can also join lines within a code block. If two commands end up on one line, the second
 * becomes part of the first one's comment and is never run.
 */
export const sentence = 'Code blocks have one command per line, and pages run pnpm in one way'

/** Pages that a reader can start with. They say how to install pnpm. */
const starts = ['README.md', 'CONTRIBUTING.md', 'docs/guides/quick-start.md', 'docs/operations.md']

/** Matches other ways to run pnpm, or other package managers. A reader who copies commands needs a single way. */
const otherWay = /\bnpx (?:-\S+ )*pnpm\b|\bcorepack\b|\byarn (?:add|install|run)\b/

const install = /npm install --global pnpm@(\S+?)(?=[`\s.]*(?:\s|$))/g

const joined = /^(?:pnpm|npx|node) [^#]*#.*(?<!`)\b(?:pnpm [a-z]|npx |node \S+\.[mc]?[jt]s)/

/** Finds the ways to run pnpm that differ from the others. @param wanted the version that `package.json` names */
function ways({ path, text }, wanted) {
  const found = text
    .split('\n')
    .flatMap((line, index) =>
      otherWay.test(line) ? [`${path}:${index + 1} runs pnpm in another way: write pnpm NAME`] : [],
    )
  const installs = [...text.matchAll(install)]
  for (const [, version] of installs)
    if (wanted && version !== wanted) found.push(`${path} installs pnpm ${version}: package.json names ${wanted}`)
  if (starts.includes(path) && /(?:^|`)pnpm [a-z]/m.test(text) && installs.length === 0)
    found.push(`${path} must say how to install pnpm: npm install --global pnpm@${wanted ?? 'VERSION'}`)
  return found
}

export function check(files) {
  const manifest = files.find(({ path }) => path === 'package.json')
  const wanted = manifest && JSON.parse(manifest.text).packageManager.split('@')[1]
  const pages = files.filter(({ path }) => path.endsWith('.md'))
  return [...joinedCommands(pages), ...pages.flatMap(page => ways(page, wanted))]
}

function joinedCommands(pages) {
  return pages.flatMap(({ path, text }) => {
    let inside = false
    return text.split('\n').flatMap((line, index) => {
      if (line.trimStart().startsWith('```')) inside = !inside
      else if (inside && joined.test(line)) return [`${path}:${index + 1} joins two commands: put each on its own line`]
      return []
    })
  })
}
