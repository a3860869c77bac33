/**
 * Reads the imports of source files. A package of its own for its TypeScript 5.9: with TypeScript 7, dependency-cruiser
 * reads no file and reports nothing.
 */
import { cruise } from 'dependency-cruiser'

/**
 * @param root the folder that paths start from
 * @param folder the folder whose files are read
 * @param forbidden rules, as dependency-cruiser has them
 * @returns `{ modules: [{ source, dependencies }], violations: [{ from, to, rule }] }`
 */
export async function readImports({ root, folder, forbidden }) {
  const { output } = await cruise([folder], {
    baseDir: root,
    tsPreCompilationDeps: true,
    includeOnly: `^${folder}/`,
    exclude: '\\.test\\.ts$',
    validate: true,
    ruleSet: { forbidden },
  })
  return { modules: output.modules, violations: output.summary.violations }
}
