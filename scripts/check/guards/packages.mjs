/**
 * Packages are separated by trust: code on a customer's page must not have access to the service's data, and the
 * end-to-end tests must have no more access than a customer does. An import could break this separation unnoticed, so
 * each workspace lists its allowed imports.
 */
import { importsOf, isScript, isTest, target, workspaceOf } from './repository.mjs'

export const sentence = 'Packages import only what their workspace allows'

const small = ['frame', 'allocations', 'session', 'money'].map(name => `@causeway/contract/${name}`)

/** The modules that each workspace may import: `ours` from the repository, and `others` from Node and npm. */
const allowed = {
  'packages/contract': { ours: [], others: /^zod$/ },
  'packages/elements': { ours: small, others: /^(?:lit|@lit|react)(?:\/|$)/ },
  'packages/react': { ours: [/^@causeway\/elements(?:\/|$)/], others: /^react$/ },
  'packages/sdk': { ours: [], others: /^$/ },
  'packages/testing': { ours: [], others: /^(?:@playwright\/test|cypress)$/ },
  'packages/cli': { ours: [/^@causeway\/sdk$/], others: /^node:/ },
  'apps/flow': { ours: [/^@causeway\/contract\//], others: /^(?:lit|@lit)(?:\/|$)/ },
  'apps/console': { ours: [/^@causeway\/sdk$/], others: /^(?:lit|@lit)(?:\/|$)/ },
  'apps/api': { ours: [/^@causeway\/contract\//], others: /./ },
  'apps/demo': { ours: [/^@causeway\/sdk(?:\/|$)/, /^@causeway\/elements(?:\/|$)/], others: /./ },
  e2e: { ours: [/^@causeway\/testing(?:\/|$)/], others: /./ },
}

/** Other packages that a workspace's tests may import. */
const inTests = {
  'packages/sdk': /^@causeway\/contract\//,
  'packages/testing': /^@causeway\/(?:elements$|testing\/)/,
  'apps/api': /^@causeway\/sdk(?:\/|$)/,
}

const fits = (from, rule) => (typeof rule === 'string' ? from === rule : rule.test(from))

function problem(path, { from, type }) {
  const here = workspaceOf(path)
  const rules = allowed[here]
  if (!rules) return `${here} is not listed in scripts/check/guards/packages.mjs`
  if (from.startsWith('.')) {
    const there = workspaceOf(target(path, from))
    if (there !== here) return `uses a path outside ${here}: ${from}`
    if (!isSmall(path) || type) return null
    return isSmall(`${target(path, from)}.ts`) ? null : `loads on other people's pages and may not import ${from}`
  }
  if (from.startsWith('@causeway/')) {
    if (isTest(path) && inTests[here]?.test(from)) return null
    if (!rules.ours.some(rule => fits(from, rule))) return `${here} may not import ${from}`
    const heavy = here === 'apps/flow' && !type && /^@causeway\/contract\/resources\//.test(from)
    return heavy ? `${from} brings the schema library into the frame: import only its types` : null
  }
  if (isTest(path)) return null
  if (!type && isSmall(path)) return `loads on other people's pages and may not import ${from}`
  return rules.others.test(from) ? null : `${here} may not import ${from}`
}

/** True for contract modules that are loaded on customers' pages. Those modules may import only one another. */
const isSmall = path => small.some(name => path === `${name.replace('@causeway/contract', 'packages/contract/src')}.ts`)

export function check(files) {
  const found = []
  for (const { path, text } of files) {
    if (!isScript(path) || !/^(?:packages|apps)\/[^/]+\/src\/|^e2e\//.test(path)) continue
    for (const each of importsOf(text)) {
      const said = problem(path, each)
      if (said) found.push(`${path}:${each.line} ${said}`)
    }
  }
  return found
}
