/**
 * Only entry points may read the process's environment. The rest of the service receives its settings and dependencies
 * from the entry points. This rule keeps all settings in one place and lets a test run two services in one process.
 */
import { isScript, isTest } from './repository.mjs'

export const sentence = 'Only the entry points of the service read the environment'

const edges = ['server', 'admin', 'connector', 'conformance'].map(name => `apps/api/src/main/${name}.ts`)

export function check(files) {
  return files
    .filter(({ path }) => path.startsWith('apps/api/src/') && isScript(path) && !isTest(path) && !edges.includes(path))
    .filter(({ text }) => /\bprocess\.env\b/.test(text.replace(/^[ \t]*(?:\*|\/\/|\/\*).*$/gm, '')))
    .map(({ path }) => `${path} reads process.env: take the setting as an argument`)
}
