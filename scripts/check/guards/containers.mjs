/**
 * Checks the container files, because the development machine may be unable to run containers. Otherwise, a setting
 * that the service no longer reads would go unnoticed until the next container start. Each program in compose.yaml must
 * exist and read every variable that is set for it, and the Node.js version and folders in the Dockerfile must match
 * the repository. `scripts/release/image.test.mjs` starts the image's files.
 */
import { readYaml } from './workflows.mjs'

export const sentence = 'Container files refer only to settings, programs and folders that exist'

/** The files that read each program's settings. `POSTGRES_` variables belong to the PostgreSQL image. */
const readers = {
  service: ['apps/api/src/main/config.ts', 'apps/api/src/main/hardening.ts'],
  demo: ['apps/demo/src/server.ts'],
}
/** Packages whose built files the image does not need, each with the reason. */
const notInImage = new Map([
  ['packages/cli', 'it runs on the machine of a developer'],
  ['packages/react', "customers' pages load it"],
  ['packages/opal-react', "customers' pages load it"],
  ['packages/opal-react-native', "customers' apps load it"],
  ['packages/testing', "customers' tests load it"],
  ['packages/ui', "it is part of the flow's and the console's bundles"],
])
const quoted = /'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)'/g
const namesIn = (texts, paths) =>
  new Set(paths.flatMap(path => [...(texts.get(path) ?? '').matchAll(quoted)].map(([, name]) => name)))

/** Returns the source file for a built file. */
const sourceOf = file => file.replace('/dist/', '/src/').replace(/\.js$/, '.ts')

function checkService(name, { command, environment = {}, image, build, ...service }, texts, services) {
  const found = []
  if (!build && !/:\d/.test(image ?? '')) found.push(`${name} must specify a version of its image`)
  const program = command?.find(each => each.endsWith('.js'))
  if (program && !texts.has(sourceOf(program))) found.push(`${name} starts ${program}, which has no source`)
  const known = namesIn(texts, program?.startsWith('apps/demo/') ? readers.demo : readers.service)
  for (const variable of Object.keys(environment)) {
    const isKnown = build ? known.has(variable.replace(/_FILE$/, '')) : /^POSTGRES_/.test(variable)
    if (!isKnown) found.push(`${name} sets ${variable}, which its program does not read`)
  }
  const others = [...Object.keys(service.depends_on ?? {}), /^service:(.+)$/.exec(service.network_mode ?? '')?.[1]]
  for (const other of others)
    if (other && !services.includes(other)) found.push(`${name} needs ${other}, which is not a service`)
  if (build && !(service.read_only && service.user === '10001:10001'))
    found.push(`${name} must run as user 10001 on a read-only root`)
  return found
}

function checkDockerfile(text, texts) {
  const found = []
  const [wanted] = (texts.get('.nvmrc') ?? '').trim().split('.')
  for (const [, version] of text.matchAll(/^FROM node:(\d+)/gm))
    if (version !== wanted) found.push(`starts from Node.js ${version}, but .nvmrc specifies ${wanted}`)
  for (const each of ['USER 10001', 'HEALTHCHECK', 'VOLUME /app/data'])
    if (!text.includes(`\n${each}`)) found.push(`has no ${each}`)
  for (const [, path] of text.matchAll(/\/app\/((?:apps|packages)\/[\w-]+)\//g))
    if (!texts.has(`${path}/package.json`)) found.push(`copies ${path}, which does not exist`)
  const copied = new Set(
    [...text.matchAll(/^COPY --from=build \/app\/(\S+)\/dist \1\/dist$/gm)].map(([, path]) => path),
  )
  for (const path of texts.keys()) {
    const folder = /^((?:apps|packages)\/[\w-]+)\/package\.json$/.exec(path)?.[1]
    if (folder && copied.has(folder) === notInImage.has(folder))
      found.push(copied.has(folder) ? `copies ${folder}/dist, which notInImage lists` : `does not copy ${folder}/dist`)
  }
  const program = /^CMD .*"([^"]+\.js)"\]$/m.exec(text)?.[1]
  if (!program || !texts.has(sourceOf(program))) found.push(`starts ${program}, which has no source`)
  return found
}

export function check(files) {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const found = []
  const compose = texts.get('compose.yaml')
  if (compose !== undefined) {
    const { value, errors } = readYaml(compose)
    const services = Object.keys(value?.services ?? {})
    found.push(...errors.map(error => `compose.yaml ${error}`))
    for (const [name, service] of Object.entries(value?.services ?? {}))
      found.push(...checkService(name, service, texts, services).map(wrong => `compose.yaml ${wrong}`))
  }
  const dockerfile = texts.get('Dockerfile')
  if (dockerfile !== undefined) found.push(...checkDockerfile(dockerfile, texts).map(wrong => `Dockerfile ${wrong}`))
  return found
}
