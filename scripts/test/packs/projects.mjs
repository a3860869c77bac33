/**
 * The projects that `scripts/test/packs.mjs` creates. Each has the setup that a customer would create, with code from the
 * guides where possible. `packages` are our own packages, `dependencies` use the versions in `versions`, and `commands`
 * must exit with 0. `aliases` are the names under which a project installs packages of ours. The first command must fail once `wrong`, a file with a mistake, is added.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBlocks } from '../../../docs/tools/blocks.mjs'
import { root } from '../../../docs/tools/pages.mjs'

const dependenciesOf = path => JSON.parse(readFileSync(join(root, path), 'utf8')).devDependencies

/** The versions that the other tests use, and the versions of packages that only these projects use. */
export const versions = {
  ...dependenciesOf('package.json'),
  ...dependenciesOf('frameworks/package.json'),
  '@sveltejs/vite-plugin-svelte': '7.3.1',
  '@vitejs/plugin-react': '6.3.0',
  '@vitejs/plugin-vue': '6.0.11',
  next: '16.4.6',
}

const guide = name => readBlocks(join(root, `docs/guides/${name}.md`))
const component = lang => guide('frameworks').find(block => block.lang === lang).text
const migration = lang => guide('migrate').find(block => block.lang === lang).text

/** All the compiler checks that a strict project enables. Package declarations are also checked. */
const strict = more =>
  JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'bundler',
      lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      noEmit: true,
      ...more?.compilerOptions,
    },
    include: ['*.ts', '*.mts', '*.cts', '*.tsx', '*.vue', '*.svelte', 'app/**/*'],
    ...more?.rest,
  })

const nodeTypes = strict({ compilerOptions: { module: 'NodeNext', moduleResolution: 'NodeNext' } })

/** A program that calls the API, verifies a webhook and handles an error. `load` imports the SDK's names. */
const useSdk = load => `${load}
const body = JSON.stringify({ event: 'evt_1', type: 'payment.update', id: 'pmt_1' })
const secret = 'a secret of the test, long enough'
async function main() {
  const fetch = async (url, { method }) => Response.json({ url: String(url), method })
  const causeway = new Causeway({ apiKey: 'sk_test', baseUrl: 'https://api.test', fetch })
  const entity = await causeway.entities.retrieve('ent_1')
  if (entity.url !== 'https://api.test/entities/ent_1') throw new Error(JSON.stringify(entity))
  const headers = await signWebhook({ body, secret, id: 'dlv_1' })
  const { id } = await verifyWebhook({ body, headers, secret })
  if (id !== 'pmt_1') throw new Error(id)
  await verifyWebhook({ body: body + ' ', headers, secret }).then(
    () => { throw new Error('A changed body was accepted.') },
    error => { if (!(error instanceof VerificationError)) throw error },
  )
}
main().catch(error => { console.error(error); process.exitCode = 1 })
`
const names = '{ Causeway, signWebhook, VerificationError, verifyWebhook }'
const typedSdk = `import { Causeway, type Payment } from '@causeway/sdk'
const causeway = new Causeway({ apiKey: 'sk_x', baseUrl: 'https://api.test' })
export const amount = async (id: string): Promise<Payment['amount']> => (await causeway.payments.retrieve(id)).amount
// @ts-expect-error there is no such status
export const gone = causeway.payments.list({ status: 'gone' })
`

const page = `<!doctype html>
<html lang="en"><head><title>A customer's page</title></head>
<body><div id="app"></div><script type="module" src="/main.ts"></script></body></html>
`

/** A connector that an operator writes: it answers a signed call, and rejects one that another key signed. */
const connector = `import { createExchange } from '@causeway/connector/http/exchange'
import { createConnector, createPortsExchange } from '@causeway/connector/http/serve'
import { readSharedKeys } from '@causeway/connector/http/signature'
import type { Identity } from '@causeway/connector/ports/identity'
import type { Ports } from '@causeway/connector/ports/ports'

const identity: Pick<Identity, 'checkCode'> = {
  checkCode: async ({ code }) => ({ status: code === '123456' ? 'correct' : 'incorrect' }),
}
// @ts-expect-error there is no such status
export const wrong: Pick<Identity, 'checkCode'> = { checkCode: async () => ({ status: 'maybe' }) }

const keyOf = (fill: number) => readSharedKeys(Buffer.alloc(32, fill).toString('base64'))!
const exchange = createPortsExchange({ identity } as unknown as Ports)
const serve = createConnector({ exchange, keys: keyOf(1), clock: Date.now, id: () => crypto.randomUUID() })
const call = (fill: number) =>
  createExchange({
    url: 'http://connector.test',
    keys: keyOf(fill),
    timeout: 1_000,
    fetch: (url, init) => serve(new Request(url, init)),
    clock: Date.now,
    id: () => crypto.randomUUID(),
  })('identity/check_code', {
    request_id: 'r',
    team_id: 't',
    now: Date.now(),
    question: { phone: '+15125550142', code: '123456' },
  })
const answer = (await call(1)) as { status: string }
if (answer.status !== 'correct') throw new Error(JSON.stringify(answer))
await call(2).then(
  () => { throw new Error('A call that another key signed was answered.') },
  () => {},
)
`

const reactDependencies = [
  ...['react', 'react-dom', '@types/react', '@types/react-dom', '@vitejs/plugin-react'],
  ...['vite', 'typescript'],
]
const reactFiles = {
  'tsconfig.json': strict({ compilerOptions: { jsx: 'react-jsx', skipLibCheck: false } }),
  'vite.config.mjs': `import react from '@vitejs/plugin-react'\nexport default { plugins: [react()] }\n`,
}

/** Each project builds a page with a button that opens the element. */
const pages = [
  {
    name: 'vite-react',
    packages: ['elements', 'react'],
    dependencies: reactDependencies,
    files: {
      ...reactFiles,
      'index.html': page.replace('main.ts', 'main.tsx'),
      'link-accounts.tsx': component('tsx'),
      'main.tsx': `import { createRoot } from 'react-dom/client'
import { LinkAccounts } from './link-accounts.js'
createRoot(document.querySelector('#app')!).render(<LinkAccounts onLinked={() => undefined} />)
`,
    },
    commands: ['tsc -p .', 'vite build --logLevel warn'],
    wrong: {
      'wrong.tsx': `import { ConnectElement } from '@causeway/react'\nexport const wrong = <ConnectElement display="popup" />\n`,
    },
  },
  {
    // An existing page of Opal, with only the package behind its import changed.
    name: 'opal-react',
    packages: ['elements', 'opal-react'],
    aliases: { 'opal-react': '@methodfi/opal-react' },
    dependencies: reactDependencies,
    files: {
      ...reactFiles,
      'index.html': page
        .replace('main.ts', 'main.tsx')
        .replace('</head>', '<meta name="causeway-frame-origin" content="https://frame.example.com"></head>'),
      'link-accounts.tsx': migration('tsx'),
      'main.tsx': `import { createRoot } from 'react-dom/client'
import { Page } from './link-accounts.js'
createRoot(document.querySelector('#app')!).render(<Page onLinked={() => undefined} />)
`,
    },
    commands: ['tsc -p .', 'vite build --logLevel warn'],
    wrong: {
      'wrong.tsx': `import { useOpal } from '@methodfi/opal-react'\nuseOpal({ env: 'popup' })\n`,
    },
  },
  {
    name: 'vue',
    packages: ['elements'],
    dependencies: ['vue', 'vue-tsc', '@vitejs/plugin-vue', 'vite', 'typescript'],
    files: {
      'tsconfig.json': strict({ rest: { vueCompilerOptions: { strictTemplates: true } } }),
      'vite.config.mjs': `import vue from '@vitejs/plugin-vue'
const isCustomElement = tag => tag.endsWith('-element')
export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] }
`,
      'index.html': page,
      'LinkAccounts.vue': component('vue'),
      'main.ts': `import type {} from '@causeway/elements/vue'
import { createApp } from 'vue'
import LinkAccounts from './LinkAccounts.vue'
createApp(LinkAccounts).mount('#app')
`,
    },
    commands: ['vue-tsc -p .', 'vite build --logLevel warn'],
    wrong: { 'Wrong.vue': '<template><connect-element display="popup" /></template>\n' },
  },
  {
    name: 'svelte',
    packages: ['elements'],
    dependencies: ['svelte', 'svelte-check', '@sveltejs/vite-plugin-svelte', 'vite', 'typescript'],
    files: {
      'tsconfig.json': strict(),
      'vite.config.mjs': `import { svelte } from '@sveltejs/vite-plugin-svelte'\nexport default { plugins: [svelte()] }\n`,
      'svelte.config.js': `import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'
export default { preprocess: vitePreprocess() }
`,
      'index.html': page,
      'LinkAccounts.svelte': component('svelte'),
      'main.ts': `import type {} from '@causeway/elements/svelte'
import { mount } from 'svelte'
import LinkAccounts from './LinkAccounts.svelte'
mount(LinkAccounts, { target: document.querySelector('#app')!, props: { onlinked: () => undefined } })
`,
    },
    commands: ['svelte-check --tsconfig ./tsconfig.json --fail-on-warnings', 'vite build --logLevel warn'],
    wrong: { 'Wrong.svelte': '<script lang="ts"></script>\n<connect-element display="popup"></connect-element>\n' },
  },
].map(project => ({ ...project, opens: 'dist' }))

/** The packages that another test packs and installs, with the test. */
export const packedElsewhere = { 'opal-react-native': 'frameworks/native.test.mjs' }

export const projects = [
  {
    name: 'node-esm',
    type: 'module',
    packages: ['sdk', 'contract', 'cli'],
    dependencies: ['typescript'],
    // The contract declares its schemas with zod.
    zod: true,
    files: {
      'tsconfig.json': nodeTypes,
      'typed.ts': typedSdk,
      'index.js': useSdk(`import ${names} from '@causeway/sdk'`),
      'contract.js': `import { errors } from '@causeway/contract/errors'\nif (!errors.NOT_FOUND) throw new Error('No error has this name.')\n`,
    },
    commands: ['tsc -p .', 'node index.js', 'node contract.js', 'causeway --version'],
  },
  {
    name: 'connector',
    type: 'module',
    packages: ['connector', 'contract'],
    dependencies: ['typescript', '@types/node'],
    // The methods of the contract are declared with zod.
    zod: true,
    files: {
      'tsconfig.json': nodeTypes
        .replace('"types":[]', '"types":["node"],"skipLibCheck":true,"outDir":"built"')
        .replace('"noEmit":true', '"noEmit":false'),
      'connector.ts': connector,
    },
    commands: ['tsc -p .', 'node built/connector.js'],
  },
  {
    name: 'node-cjs',
    type: 'commonjs',
    packages: ['sdk'],
    dependencies: ['typescript'],
    files: {
      'tsconfig.json': nodeTypes.replace('"verbatimModuleSyntax":true', '"verbatimModuleSyntax":false'),
      'typed.ts': typedSdk,
      'index.js': useSdk(`const ${names} = require('@causeway/sdk')`),
    },
    commands: ['tsc -p .', 'node index.js'],
  },
  ...pages,
  {
    name: 'next',
    packages: ['elements', 'react', 'sdk'],
    dependencies: ['next', 'react', 'react-dom', '@types/react', '@types/react-dom', '@types/node', 'typescript'],
    files: {
      'tsconfig.json': strict({
        compilerOptions: {
          jsx: 'react-jsx',
          types: ['node'],
          skipLibCheck: true,
          incremental: true,
          esModuleInterop: true,
          allowJs: true,
          resolveJsonModule: true,
          isolatedModules: true,
          plugins: [{ name: 'next' }],
        },
        rest: {
          include: ['next-env.d.ts', 'app/**/*', '.next/types/**/*.ts', '.next/dev/types/**/*.ts'],
          exclude: ['node_modules'],
        },
      }),
      'next.config.mjs': 'export default {}\n',
      'app/layout.tsx': `import type { ReactNode } from 'react'
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
      // Rendered on the server. Only the button needs code in the browser.
      'app/page.tsx': `import { OpalBalanceTransferElement } from '@causeway/react'
import { Start } from './start'
export default function Page() {
  return <main><Start /><OpalBalanceTransferElement className="loan" /></main>
}
`,
      'app/start.tsx': `'use client'
import { LinkAccounts } from './link-accounts'
export const Start = () => <LinkAccounts onLinked={() => location.reload()} />
`,
      'app/link-accounts.tsx': component('tsx'),
      'app/token/route.ts': `import { Causeway } from '@causeway/sdk'
export async function POST(): Promise<Response> {
  const causeway = new Causeway({ apiKey: process.env.CAUSEWAY_KEY!, baseUrl: process.env.CAUSEWAY_URL! })
  const individual = { first_name: 'Ana', last_name: 'Rivera' }
  const { id } = await causeway.entities.create({ type: 'individual', individual })
  return Response.json({ entity: id })
}
`,
    },
    commands: ['next build'],
    serves: 'next start --hostname 127.0.0.1',
  },
  {
    name: 'playwright',
    // The setup that `npm init playwright` creates, without "type": "module".
    packages: ['testing', 'sdk'],
    dependencies: ['@playwright/test', '@types/node', 'typescript'],
    files: {
      'tsconfig.json': strict({
        compilerOptions: { types: ['node'], verbatimModuleSyntax: false, skipLibCheck: true },
        rest: { include: ['*.spec.ts'] },
      }),
      'link.spec.ts': guide('testing').find(({ lang, text }) => lang === 'ts' && text.includes('completeConnect')).text,
      ...Object.fromEntries(
        guide('quick-start')
          .filter(({ file }) => file)
          .map(({ file, text }) => [file, text]),
      ),
    },
    commands: ['tsc -p .'],
    tests: 'playwright test',
  },
]
