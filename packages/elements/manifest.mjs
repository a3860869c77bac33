/**
 * Writes `custom-elements.json` from the comments and types in the source. Editors and documentation tools use it to
 * look up the elements' properties, methods, events, slots, parts and CSS custom properties.
 * node manifest.mjs            writes the file
 * node manifest.mjs --check    fails if the file is out of date
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, ts } from '@custom-elements-manifest/analyzer'
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js'

const root = fileURLToPath(new URL('.', import.meta.url))
const page = `${root}custom-elements.json`
/** The source files, with the base class before the elements that extend it. */
const sources = ['element', 'connect-element', 'opal-balance-transfer-element', 'events', 'define']

const parse = path => ts.createSourceFile(path, readFileSync(root + path, 'utf8'), ts.ScriptTarget.ES2022, true)

/**
 * Corrects the analyzer's output for private members, for dispatches that it reads as unnamed events, for tags
 * registered in a loop, and for inherited members that share a name, such as a property and a static method. The
 * analyzer merges members that share a name into one.
 */
const corrections = {
  name: 'corrections',
  packageLinkPhase({ customElementsManifest: { modules } }) {
    const all = modules.flatMap(({ path, declarations }) => declarations.map(each => ({ each, path })))
    for (const { each } of all) {
      if (each.members) each.members = each.members.filter(({ name }) => !name.startsWith('#'))
      if (each.events) each.events = each.events.filter(({ name }) => name)
    }
    const base = all.find(({ each }) => each.name === 'FlowElement')
    const shared = base.each.members.filter(one =>
      base.each.members.some(other => other !== one && other.name === one.name),
    )
    for (const { each } of all.filter(({ each: { tagName } }) => tagName)) {
      const inheritedFrom = each.members.find(({ inheritedFrom: from }) => from).inheritedFrom
      each.members = [
        ...each.members.filter(({ name }) => !shared.some(one => one.name === name)),
        ...shared.map(one => ({ ...one, inheritedFrom })),
      ]
    }
    modules.find(({ path }) => path === 'src/define.ts').exports = all
      .filter(({ each }) => each.tagName)
      .map(({ each: { tagName, name }, path: module }) => ({
        kind: 'custom-element-definition',
        name: tagName,
        declaration: { name, module },
      }))
  },
}

/** Returns the manifest's text, with references to the package's modules instead of the source modules. */
function write() {
  const manifest = create({
    modules: sources.map(name => parse(`src/${name}.ts`)),
    plugins: [...litPlugin(), corrections],
  })
  const text = JSON.stringify(manifest, null, 2).replace(/"\/?src\/([\w-]+)\.[jt]s"/g, '"dist/$1.js"')
  return `${text}\n`
}

const text = write()
if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('custom-elements.json is out of date: run node packages/elements/manifest.mjs')
  process.exitCode = 1
}
