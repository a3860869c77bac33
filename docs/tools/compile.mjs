/**
 * Compiles the pages' snippets as readers would, against this repository's packages. Each snippet becomes a file in
 * `tried/`, with the same line numbers as on the page, so that errors point to the right lines. The compilers for
 * framework snippets are in `frameworks/guides/`.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './pages.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']

/** The compiler for each kind of snippet: its command, and the options that override tsconfig.json. */
export const languages = {
  typescript: { options: {}, command: tsc },
  javascript: {
    // JavaScript snippets are not checked strictly, because strictness is a TypeScript option. These snippets use the
    // packages' built types, so build the packages first.
    options: { allowJs: true, checkJs: true, strict: false, exactOptionalPropertyTypes: false, customConditions: [] },
    command: tsc,
  },
}

const kindOf = ({ lang, rest }) =>
  ({ angular: 'angular', express: 'server', fastify: 'server', next: 'server' })[rest] ??
  { ts: 'typescript', tsx: 'typescript', js: 'javascript', vue: 'vue', svelte: 'svelte' }[lang]

const slug = page => page.replace(/\.md$/, '').replaceAll('/', '-')

/** Returns a module's file name, given the module's first block. */
export const fileOf = ({ page, line, lang }) => `${slug(page)}-${line}.${lang}`

/** Groups blocks into modules. A block without an import continues the previous block's module. */
function modulesOf(blocks) {
  const modules = []
  for (const block of blocks) {
    const last = modules.at(-1)
    const goesOn = last && last.page === block.page && last.lang === block.lang && !/^import\b/m.test(block.text)
    if (goesOn) last.blocks.push(block)
    else modules.push({ page: block.page, lang: block.lang, blocks: [block] })
  }
  return modules.map(({ blocks: parts }) => {
    let text = ''
    for (const { line, text: part } of parts) text += '\n'.repeat(line - text.split('\n').length + 1) + part
    return { name: fileOf(parts[0]), text }
  })
}

/** Groups the blocks by compiler. Blocks that are not compiled are omitted. */
export function byKind(blocks) {
  const sorted = new Map()
  for (const block of blocks) {
    const kind = kindOf(block)
    if (kind) sorted.set(kind, [...(sorted.get(kind) ?? []), block])
  }
  return sorted
}

/**
 * Creates a function that compiles the blocks of one kind and resolves to the compiler's messages, or to an empty
 * string if there are none.
 * @param kinds the compiler for each kind
 * @param folder the folder for the snippets, with a subfolder for each kind
 */
export function createCompiler(kinds, folder) {
  rmSync(folder, { recursive: true, force: true })
  return (kind, blocks) => {
    const { options, more = {}, command } = kinds[kind]
    const at = join(folder, kind)
    mkdirSync(at, { recursive: true })
    cpSync(join(here, 'yours'), at, { recursive: true })
    for (const { name, text } of modulesOf(blocks)) writeFileSync(join(at, name), text)
    const base = join(here, 'tsconfig.json')
    const config = { extends: base, compilerOptions: options, ...more, include: ['./*'], files: [] }
    writeFileSync(join(at, 'tsconfig.json'), JSON.stringify(config))
    return new Promise(resolve => {
      let said = ''
      const child = spawn(process.execPath, command, { cwd: at })
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', chunk => {
          said += chunk
        })
      child.once('exit', status => resolve(status === 0 ? '' : said || `${kind} ended with ${status}`))
    })
  }
}
