/**
 * A workflow that runs a nonexistent command might not fail until a change has been merged, or until the day of a
 * release. This guard parses every file under `.github` and checks that each workflow command exists in this
 * repository.
 */
import { parseDocument } from 'yaml'

export const sentence = 'Workflows name commands, actions and paths that exist'

/** The commands in workflows that come from pnpm or from an installed package. */
const pnpmOwn = ['install', 'sbom', 'changeset']
const action = /^(?:\.\/|[\w.-]+\/[\w./-]+@[0-9a-f]{40}$)/
/** Actions that Renovate has not pinned to a commit yet. Remove each one when it is pinned, and add none. */
const unpinned = ['github/codeql-action/init@v3', 'github/codeql-action/analyze@v3']
/** Commands that run code from the repository or from an installed dependency. */
const repositoryCode = /(?:^|[;&|\s])(?:pnpm|npx|node|tsx|\.\/|\.ci\/|scripts\/)/m

/** Returns `{ value, errors }` for a YAML file. Duplicate keys and unresolved aliases are errors. */
export function readYaml(text) {
  const document = parseDocument(text, { merge: true })
  const errors = [...document.errors, ...document.warnings].map(({ message }) => message)
  try {
    return { value: document.toJS(), errors }
  } catch (error) {
    return { value: null, errors: [...errors, error.message] }
  }
}

/** Lists problems with the commands in one `run` step. */
function wrongCommands(run, paths, scripts) {
  const found = []
  for (const line of run.split('\n')) {
    for (const [, command] of line.matchAll(/(?:^|[;&|]\s*|\bdo )pnpm ([\w:-]+)/g))
      if (!Object.hasOwn(scripts, command) && !pnpmOwn.includes(command))
        found.push(`runs \`pnpm ${command}\`, which is not a script in package.json`)
    for (const [, file] of line.matchAll(/(?:^|[;&|\s])(?:node |\.\/)?((?:\.ci|scripts)\/[\w./-]+)/g))
      if (!paths.has(file)) found.push(`runs ${file}, which does not exist`)
  }
  return found
}

function checkWorkflow(workflow, paths, scripts) {
  const found = []
  if (workflow.permissions?.contents !== 'read')
    found.push('must begin with `permissions: contents: read`: a job that needs more must request it')
  for (const [name, job] of Object.entries(workflow.jobs ?? {})) {
    if (!job.uses && !job['timeout-minutes']) found.push(`${name} has no timeout-minutes`)
    if (job.uses && !paths.has(job.uses.replace(/^\.\//, '')))
      found.push(`${name} uses ${job.uses}, which does not exist`)
    for (const step of job.steps ?? []) {
      if (step.uses && !action.test(step.uses) && !unpinned.includes(step.uses))
        found.push(`${name} uses ${step.uses}: name a full commit, because a tag can be moved`)
      const publishes = job.permissions?.['id-token'] === 'write'
      if (publishes && (/^actions\/checkout@/.test(step.uses ?? '') || repositoryCode.test(step.run ?? '')))
        found.push(`${name} may publish, so it must not check out or run the repository's code: pass it an artifact`)
      for (const wrong of wrongCommands(step.run ?? '', paths, scripts)) found.push(`${name} ${wrong}`)
      // An expression in a command would allow a title or branch name to run as code.
      if (/\$\{\{/.test(step.run ?? '')) found.push(`${name} puts an expression into a command: pass it by \`env\``)
    }
  }
  return found
}

/** Returns every path in CODEOWNERS, without its leading slash. */
const ownedPaths = text =>
  text
    .split('\n')
    .map(line => line.trim().split(/\s+/)[0])
    .filter(path => path?.startsWith('/'))
    .map(path => path.slice(1))

export function check(files) {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const scripts = JSON.parse(texts.get('package.json') ?? '{}').scripts ?? {}
  const found = []
  for (const [path, text] of texts) {
    if (!/^\.github\/.*\.ya?ml$/.test(path)) continue
    const { value, errors } = readYaml(text)
    found.push(...errors.map(error => `${path} ${error}`))
    if (errors.length === 0 && path.startsWith('.github/workflows/'))
      found.push(...checkWorkflow(value, texts, scripts).map(wrong => `${path} ${wrong}`))
  }
  for (const owned of ownedPaths(texts.get('.github/CODEOWNERS') ?? ''))
    if (![...texts.keys()].some(path => (owned.endsWith('/') ? path.startsWith(owned) : path === owned)))
      found.push(`.github/CODEOWNERS names /${owned}, which does not exist`)
  return found
}
