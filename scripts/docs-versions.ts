/**
 * Writes docs/versions.md: the dated versions of the API and what each changed, as the steps of the chain declare it.
 *   tsx --conditions=source scripts/docs-versions.ts            writes
 *   tsx --conditions=source scripts/docs-versions.ts --check    compares
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { steps } from '../apps/api/src/versions/chain.js'
import type { Note, Step } from '../apps/api/src/versions/step.js'
import { removed } from '../packages/contract/src/endpoints/removed-endpoints.js'
import { components, endpoints } from '../packages/contract/src/endpoints/table.js'
import type { Prefix } from '../packages/contract/src/ids.js'
import {
  NEWEST_VERSION,
  PINNED_VERSION,
  VERSION_HEADER,
  type Version,
  versions,
} from '../packages/contract/src/versions.js'

const page = fileURLToPath(new URL('../docs/versions.md', import.meta.url))

const resourceOf = (kind: string) => components.find(component => component.kind === kind)?.name ?? kind
const code = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ')

/** What the tables of a step say by themselves. */
function fieldNotes(step: Step): Note[] {
  const tell = (fields: Step['loses'], say: (names: string) => string): Note[] =>
    (Object.entries(fields ?? {}) as [Prefix, readonly string[]][]).map(([kind, names]) => ({
      resource: resourceOf(kind),
      in: 'answer',
      says: say(code(names)),
    }))
  return [...tell(step.loses, names => `New: ${names}.`), ...tell(step.keeps, names => `No longer there: ${names}.`)]
}

function changesOf(version: Version): string[] {
  const step = steps.find(each => versions[versions.indexOf(each.version) + 1] === version)
  const notes = step ? [...step.notes, ...fieldNotes(step)] : []
  const rows = notes.map(note => `| ${note.resource} | ${note.in} | ${note.says} |`)
  const added = endpoints.filter(({ since }) => since === version)
  const gone = version === '2024-04-04' ? removed : []
  return [
    `## ${version}${version === NEWEST_VERSION ? ', the newest' : ''}${version === PINNED_VERSION ? ', where new teams begin' : ''}`,
    '',
    ...(rows.length > 0
      ? ['| What | Where | Change |', '| --- | --- | --- |', ...rows, '']
      : ['The oldest version.', '']),
    ...(added.length > 0
      ? [`New endpoints: ${added.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}.`, '']
      : []),
    ...(gone.length > 0
      ? [
          'Endpoints that went. Each answers 404 and says this, whichever version is asked for:',
          '',
          '| Endpoint | Instead |',
          '| --- | --- |',
          ...gone.map(({ path, instead }) => `| \`${path.replace(/:(\w+)/g, '{$1}')}\` | ${instead} |`),
          '',
          '`/entities/{ent_id}/vehicles` and `/accounts/{acc_id}/sensitive` went too and came back as products.',
          '',
        ]
      : []),
  ]
}

function write(): string {
  const sourceless = steps.flatMap(({ version, sourceless: fields = [] }) => fields.map(each => ({ version, ...each })))
  return [
    '# Versions',
    '',
    'The dated versions of the API, newest first, and what each changed against the one before. Written by',
    '`tsx --conditions=source scripts/docs-versions.ts` from the steps in `apps/api/src/versions`; do not edit.',
    '',
    '## Which version is spoken',
    '',
    `A request names its version by the header \`${VERSION_HEADER}: ${NEWEST_VERSION}\`, and is served it whatever the team is pinned to:`,
    'older and newer ones can be used side by side while a customer moves. A request without the header speaks the version that',
    `its team is pinned to. A new team is pinned to ${PINNED_VERSION}. A version that is not known is refused with \`INVALID_VERSION\`.`,
    'Events are kept in the newest form, shown at the version of the request and delivered at the pin of the team.',
    'A stored answer of an idempotency key is given again as it was first sent, whichever version asks.',
    '',
    `The versions are ${[...versions].reverse().join(', ')}. \`/openapi.json?version=${PINNED_VERSION}\` describes one of them.`,
    '',
    '## How to upgrade',
    '',
    '1. Read what changed, below, from the version after yours on.',
    `2. Send \`${VERSION_HEADER}\` with the new version from one place of your code, and try it in the sandbox.`,
    '3. When every place sends it, move the pin: `PATCH /team` with `{ "version": "..." }`. Webhooks follow the pin.',
    '4. The pin moves forward only. To go back ask the operator: `pnpm admin version set TEAM VERSION` sets any.',
    '',
    ...[...versions].reverse().flatMap(changesOf),
    '## What is always null',
    '',
    'Fields of an older version that nothing fills.',
    '',
    '| Version | What | Fields | Why |',
    '| --- | --- | --- | --- |',
    ...sourceless.map(({ version, of, fields, why }) => `| ${version} | ${of} | ${code(fields)} | ${why} |`),
    '',
  ].join('\n')
}

const text = write()
if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('docs/versions.md is out of date: run scripts/docs-versions.ts')
  process.exitCode = 1
}
