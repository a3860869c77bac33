/**
 * Applies the rules of imports in `scripts/check/cruise/rules.mjs`, in one run. Two folders of the service must not import
 * each other. Rules of a feature must also take the time and random values as arguments.
 */
import { readImports } from '../cruise/cruise.mjs'
import { folderPairsOf, importsOf } from '../cruise/graph.mjs'
import { forbidden, order, RULES } from '../cruise/rules.mjs'
import { root as here, isScript, isTest, workspaceOf } from './repository.mjs'

export const sentence = 'Packages, modules and rules import only what scripts/check/cruise/rules.mjs allows'

const SRC = 'apps/api/src/'
const IMPURE = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(?:UUID|Bytes)\(/

const isSource = path => isScript(path) && /^(?:packages|apps)\/[^/]+\/src\/|^e2e\//.test(path)

export async function check(files, { root = here } = {}) {
  const sources = files.filter(({ path }) => isSource(path))
  if (sources.length === 0) return []
  const folders = [...new Set(sources.map(({ path }) => workspaceOf(path)))].map(folder =>
    folder === 'e2e' ? folder : `${folder}/src`,
  )
  const { modules, violations } = await readImports({ root, folders, forbidden })
  const read = new Set(modules.map(({ source }) => source))
  const service = sources.filter(({ path }) => path.startsWith(SRC) && !isTest(path))
  return [
    ...service
      .filter(({ path }) => !order.includes(path.split('/')[3]))
      .map(({ path }) => `${path} is not in any module: add it to one of ${order.join(', ')}`),
    ...service.filter(({ path }) => !read.has(path)).map(({ path }) => `${path} was not read`),
    ...violations.map(({ from, to, rule, cycle }) =>
      cycle
        ? `imports form a cycle: ${[from, ...cycle.map(each => each.name ?? each)].join(' -> ')}`
        : `${from} imports ${to}: ${rule.name}`,
    ),
    ...folderPairsOf(importsOf(modules).filter(([path]) => path.startsWith(SRC))).map(
      ([one, other]) => `${one} and ${other} import each other, so neither can be read alone`,
    ),
    ...service
      .filter(({ path, text }) => RULES.some(rule => new RegExp(rule).test(path)) && IMPURE.test(text))
      .map(({ path }) => `${path} contains rules, which must take the time and random values as arguments`),
  ]
}
