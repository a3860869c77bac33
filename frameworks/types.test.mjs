/** Checks the tags in Vue and Svelte templates with each compiler's strictest settings. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const require = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('guides/tried/types', import.meta.url))
const base = fileURLToPath(new URL('../docs/tools/tsconfig.json', import.meta.url))
const packages = fileURLToPath(new URL('../packages', import.meta.url))

/**
 * Copies the kit to a folder where it can resolve the frameworks, as in a customer's project. A linked kit's
 * declarations could not resolve the frameworks.
 */
function install() {
  const kit = join(folder, 'node_modules/@causeway/elements')
  for (const part of ['src', 'types', 'package.json'])
    cpSync(join(packages, 'elements', part), join(kit, part), {
      recursive: true,
      filter: path => !/\.test\.ts$|testing$|jsx\.ts$/.test(path),
    })
  symlinkSync(join(packages, 'contract'), join(folder, 'node_modules/@causeway/contract'))
  symlinkSync(join(packages, 'elements/node_modules/lit'), join(folder, 'node_modules/lit'))
}

const kinds = {
  vue: {
    command: [require.resolve('vue-tsc/bin/vue-tsc.js'), '-p', '.'],
    more: { vueCompilerOptions: { strictTemplates: true } },
    component: ({ tag, attributes }) => `<script setup lang="ts">
import type {} from '@causeway/elements/vue'
import type { ElementSuccessEvent } from '@causeway/elements'
const getToken = async (): Promise<string> => 'token'
const onSuccess = (event: ElementSuccessEvent) => event.accounts.length
</script>
<template>
  <${tag} ${attributes}></${tag}>
</template>
`,
    right: {
      properties:
        ':getToken.prop="getToken" frame-origin="https://frame.test" display="inline" :opened="true" :timeout="5000"',
      events: '@element-success="onSuccess" @element-exit="event => event.reason === \'user\'"',
      attributes: 'class="flow" id="flow" :theme.prop="{ accent: \'#0a7d4f\', radius: 4 }"',
    },
    wrong: {
      'an unknown property': ':amount="5"',
      'a display that does not exist': 'display="popup"',
      'a number as a token': ':token="1"',
      'a callback without a token': ':getToken="() => 1"',
      'an unknown event': '@element-done="onSuccess"',
      'a field of another event': '@element-exit="event => event.accounts"',
    },
  },
  svelte: {
    command: [require.resolve('svelte-check/bin/svelte-check'), '--tsconfig', './tsconfig.json', '--output', 'machine'],
    more: {},
    component: ({ tag, attributes }) => `<script lang="ts">
  import type {} from '@causeway/elements/svelte'
  import type { ElementSuccessEvent } from '@causeway/elements'
  const getToken = async (): Promise<string> => 'token'
  const onSuccess = (event: ElementSuccessEvent) => event.accounts.length
  export const used = [getToken, onSuccess]
</script>
<${tag} ${attributes}><p slot="error">Call us</p></${tag}>
`,
    right: {
      properties: '{getToken} frame-origin="https://frame.test" display="inline" opened={true} timeout={5000}',
      events: "onelement-success={onSuccess} onelement-exit={event => event.reason === 'user'}",
      attributes: 'class="flow" id="flow" theme={{ accent: "#0a7d4f", radius: 4 }}',
    },
    wrong: {
      'an unknown property': 'amount={5}',
      'a display that does not exist': 'display="popup"',
      'a number as a token': 'token={1}',
      'a callback without a token': 'getToken={() => 1}',
      'an unknown event': 'onelement-done={onSuccess}',
      'a field of another event': 'onelement-exit={event => event.accounts}',
    },
  },
}

const nameOf = (title, tag) => `${title.replaceAll(' ', '-')}-${tag.split('-')[0]}`
const tags = ['connect-element', 'opal-balance-transfer-element']

/** Writes every component of one kind and returns the compiler's output for all of them. */
function compile(kind) {
  const { command, more, component, right, wrong } = kinds[kind]
  const at = join(folder, kind)
  mkdirSync(at, { recursive: true })
  for (const tag of tags)
    for (const [title, attributes] of Object.entries({ ...right, ...wrong }))
      writeFileSync(join(at, `${nameOf(title, tag)}.${kind}`), component({ tag, attributes }))
  const config = {
    extends: base,
    compilerOptions: { types: [], verbatimModuleSyntax: true },
    ...more,
    include: ['./*'],
    files: [],
  }
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify(config))
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: at })
  return `${stdout}${stderr}`
}

let said
beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules/@causeway'), { recursive: true })
  install()
  said = Object.fromEntries(Object.keys(kinds).map(kind => [kind, compile(kind)]))
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cases = part =>
  Object.keys(kinds).flatMap(kind =>
    tags.flatMap(tag => Object.keys(kinds[kind][part]).map(title => [kind, title, tag])),
  )

test.each(cases('right'))('%s accepts the %s of %s', (kind, title, tag) =>
  expect(said[kind].split('\n').filter(line => line.includes(nameOf(title, tag)) && /error/i.test(line))).toEqual([]),
)

test.each(cases('wrong'))('%s rejects %s of %s', (kind, title, tag) =>
  expect(said[kind].split('\n').filter(line => line.includes(nameOf(title, tag)) && /error/i.test(line))).not.toEqual(
    [],
  ),
)
