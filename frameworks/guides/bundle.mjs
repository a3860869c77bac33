/** Bundles the guides' compiled components with each framework's own tools, and mounts each component on a page. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile as compileSvelte } from 'svelte/compiler'
import { build, transformWithOxc } from 'vite'
import { compileScript, parse } from 'vue/compiler-sfc'
import { folder } from './compile.mjs'

const isCustomElement = tag => tag.endsWith('-element')

const vue = {
  name: 'vue',
  transform(code, id) {
    if (!id.endsWith('.vue')) return null
    const { descriptor } = parse(code)
    const templateOptions = { compilerOptions: { isCustomElement } }
    const { content } = compileScript(descriptor, { id: 'snippet', inlineTemplate: true, templateOptions })
    return transformWithOxc(content, `${id}.ts`)
  },
}

const svelte = {
  name: 'svelte',
  transform: (code, id) => (id.endsWith('.svelte') ? compileSvelte(code, { filename: id }).js : null),
}

const find = (kind, under, name) =>
  join(
    folder,
    kind,
    under,
    readdirSync(join(folder, kind, under)).find(file => name.test(file)),
  )

/** By framework: the path of the compiled component, and the main file that a reader would write for it. */
const mains = {
  vue: {
    of: () => find('vue', '', /\.vue$/),
    text: path => `import { createApp } from 'vue'\nimport Yours from '${path}'\ncreateApp(Yours).mount('#app')`,
  },
  svelte: {
    of: () => find('svelte', '', /\.svelte$/),
    text: path => `import { mount } from 'svelte'\nimport Yours from '${path}'
      mount(Yours, { target: document.querySelector('#app'), props: { onlinked() {} } })`,
  },
  angular: {
    of: () => find('angular', 'out/frameworks/guides/tried/angular', /^docs-.*\.js$/),
    // Angular's own packages are only partially compiled. The compiler completes the work in the browser.
    text: path => `import '@angular/compiler'\nimport { bootstrapApplication } from '@angular/platform-browser'
      import { provideZonelessChangeDetection } from '@angular/core'\nimport { LinkAccounts } from '${path}'
      bootstrapApplication(LinkAccounts, { providers: [provideZonelessChangeDetection()] })`,
  },
}

/** Returns a page script that contains the framework, the kit from npm and the component. */
export async function bundle(kind) {
  const main = join(folder, kind, 'main.virtual.js')
  const { of, text } = mains[kind]
  const entry = {
    name: 'main',
    resolveId: id => (id === main ? id : null),
    load: id => (id === main ? text(of()) : null),
  }
  const [{ output }] = [
    await build({
      root: join(folder, kind),
      configFile: fileURLToPath(new URL('../../vite.config.ts', import.meta.url)),
      logLevel: 'error',
      plugins: [entry, vue, svelte],
      build: {
        write: false,
        minify: false,
        rollupOptions: { input: main, output: { format: 'es', codeSplitting: false } },
      },
    }),
  ].flat()
  return output.find(({ type }) => type === 'chunk').code
}
