/**
 * Compiles the snippets of the pages as their readers would, against the packages of this repository. Every snippet becomes a
 * file in `tried/` with its lines where they are on the page, so that an error names the line to look at. What compiles a
 * framework's snippets is in `frameworks/guides/`.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './pages.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']

/** The compiler of each kind: its options over tsconfig.json, and the command. */
export const languages = {
  typescript: { options: {}, command: tsc },
  javascript: {
    // Without strictness, which is a choice of TypeScript's readers, the packages are read by their types: build first.
    options: { allowJs: true, checkJs: true, strict: false, exactOptionalPropertyTypes: false, customConditions: [] },
    command: tsc,
  },
}

const kindOf = ({ lang, rest }) =>
  ({ angular: 'angular', express: 'server', fastify: 'server', next: 'server' })[rest] ??
  { ts: 'typescript', tsx: 'typescript', js: 'javascript', vue: 'vue', svelte: 'svelte' }[lang]

const slug = page => page.replace(/\.md$/, '').replaceAll('/', '-')

/** The file of a module in the folder of its kind, given its first block. */
export const fileOf = ({ page, line, lang }) => `${slug(page)}-${line}.${lang}`

/** A block without an import of its own continues the one before it, so both are one module. */
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

/** The blocks by the compiler that they are for; the others in none. */
export function byKind(blocks) {
  const sorted = new Map()
  for (const block of blocks) {
    const kind = kindOf(block)
    if (kind) sorted.set(kind, [...(sorted.get(kind) ?? []), block])
  }
  return sorted
}

/**
 * @param kinds the compiler of each kind
 * @param folder for the snippets, in a folder for each kind
 * @returns a function that compiles the blocks of one kind, and resolves with the compiler's messages: empty if there
 * are none
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
