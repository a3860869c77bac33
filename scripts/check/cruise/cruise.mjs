/**
 * Reads the imports of source files. This is a separate package because it needs TypeScript 5.9. With TypeScript 7,
 * dependency-cruiser reads no files and reports nothing.
 */
import { cruise } from 'dependency-cruiser'

/** The tests of the service may import anything, and reading them would take as long as the rest. */
const UNREAD = ['^apps/api/src/.+[.]test[.]ts$', '/dist/']

/**
 * @param root the folder that paths are relative to
 * @param folders the folders whose files are read
 * @param forbidden rules in dependency-cruiser's format
 * @returns `{ modules: [{ source, dependencies }], violations: [{ from, to, rule, cycle }] }`
 */
export async function readImports({ root, folders, forbidden = [] }) {
  const { output } = await cruise(folders, {
    baseDir: root,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: UNREAD },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
    },
    validate: true,
    ruleSet: { forbidden },
  })
  return { modules: output.modules, violations: output.summary.violations }
}
