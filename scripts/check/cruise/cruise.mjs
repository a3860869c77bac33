/**
 * Reads the imports of source files. This is a separate package because it needs TypeScript 5.9. With TypeScript 7,
 * dependency-cruiser reads no files and reports nothing.
 */
import { cruise } from 'dependency-cruiser'

/**
 * @param root the folder that paths are relative to
 * @param folder the folder whose files are read
 * @param forbidden rules in dependency-cruiser's format
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
