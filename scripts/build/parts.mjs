/** The parts of the build that the running service and demo lender need, for `prepare.mjs`. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOf } from './content-hash.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const isTest = file => /\.test\.m?[jt]s$/.test(file)

/** The inputs of every part: the versions of the tools, and the settings that they share. */
const tools = ['pnpm-lock.yaml', 'tsconfig.base.json', 'vite.config.ts', 'scripts/build']
const bundleInputs = ['packages/contract/src', 'packages/ui/src', 'packages/sdk/src', 'packages/sdk/package.json']

/** Runs a script that builds a part. Its output is shown only if it fails. */
const script = (folder, ...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: join(root, folder), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
    child.once('error', reject)
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(output.trim()))))
  })

/** The bundler that tsx depends on, which the root package does not list as a dependency. */
const esbuild = () => createRequire(createRequire(import.meta.url).resolve('tsx/package.json'))('esbuild')

/** Compiles a package's modules one by one, without checking types. */
async function compile(folder) {
  const [source, dist] = [join(root, folder, 'src'), join(root, folder, 'dist')]
  // tsc would take its own earlier output for current.
  rmSync(join(dist, '.tsbuildinfo'), { force: true })
  await esbuild().build({
    entryPoints: filesOf(source).filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts') && !isTest(file)),
    outdir: dist,
    outbase: source,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  })
}

const modulesOf = (name, folder) => ({
  name,
  inputs: [`${folder}/src`, `${folder}/tsconfig.json`],
  outputs: [`${folder}/dist`],
  isOutput: file => file.endsWith('.js') && !isTest(file) && !file.includes('/dist/cjs/'),
  run: () => compile(folder),
})

/** The SDK's types, which some of the other parts import. */
const types = {
  name: "the SDK's types",
  inputs: ['packages/contract/src', 'packages/sdk/package.json'],
  outputs: ['packages/sdk/src/contract.gen.ts'],
  run: () => script('.', '--conditions=source', '--import', 'tsx', 'scripts/build/sdk-types.ts'),
}

const bundleOf = (name, folder, file, isOutput) => ({
  name,
  inputs: [
    ...['src', 'index.html', 'hosted.html', 'vite.config.ts', 'package.json', file].map(each => `${folder}/${each}`),
    ...bundleInputs,
  ],
  outputs: [`${folder}/dist`],
  isOutput,
  run: () => script(folder, file),
})

/** True for what Vite writes. `tsc` writes to the same folders. */
const isBundle = file => /\/dist\/(?:assets|server)\/|\/dist\/(?:early\.js|\w+\.(?:html|json))$/.test(file)
const isKit = file => /\/dist\/(?:(?:kit|loader)\.js(?:\.map|\.br)?|integrity\.json)$/.test(file)

/** The parts in two groups: those of the second group need the first. Paths are relative to the repository. */
export const parts = [
  [types],
  [
    modulesOf('the contract', 'packages/contract'),
    modulesOf('the connector library', 'packages/connector'),
    modulesOf('the providers', 'packages/providers'),
    modulesOf('the SDK', 'packages/sdk'),
    modulesOf('the service', 'apps/api'),
    modulesOf('the demo', 'apps/demo'),
    bundleOf('the screens', 'apps/flow', 'build.mjs', isBundle),
    bundleOf('the console', 'apps/console', 'build.mjs', isBundle),
    bundleOf('the kit', 'packages/elements', 'bundle.mjs', isKit),
  ],
].map(group =>
  group.map(({ inputs, outputs, isOutput = () => true, ...part }) => {
    const at = path => join(root, path)
    return { ...part, isOutput, inputs: [...tools, ...inputs].map(at), outputs: outputs.map(at) }
  }),
)
