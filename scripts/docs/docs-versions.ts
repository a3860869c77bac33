/**
 * Writes docs/versions.md: the API versions by date, and the changes in each one, as declared by the version steps.
 *   tsx --conditions=source scripts/docs/docs-versions.ts            writes the page
 *   tsx --conditions=source scripts/docs/docs-versions.ts --check    fails if the page is out of date
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { steps } from '../../apps/api/src/versions/chain.js'
import type { Note, Step } from '../../apps/api/src/versions/step.js'
import { apiDifferences } from '../../packages/contract/src/differences.js'
import { components, endpoints } from '../../packages/contract/src/endpoints/table.js'
import type { Prefix } from '../../packages/contract/src/ids.js'
import { removedEndpoints } from '../../packages/contract/src/removed-endpoints.js'
import {
  NEWEST_VERSION,
  PINNED_VERSION,
  VERSION_HEADER,
  type Version,
  versions,
} from '../../packages/contract/src/versions.js'

const page = fileURLToPath(new URL('../../docs/versions.md', import.meta.url))

const resourceOf = (kind: string) => components.find(component => component.kind === kind)?.name ?? kind
const code = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ')

/** Returns the changes that a step's tables describe. */
function fieldNotes(step: Step): Note[] {
  const tell = (fields: Step['newerFields'], say: (names: string) => string): Note[] =>
    (Object.entries(fields ?? {}) as [Prefix, readonly string[]][]).map(([kind, names]) => ({
      resource: resourceOf(kind),
      in: 'answer',
      says: say(code(names)),
    }))
  return [
    ...tell(step.newerFields, names => `New: ${names}.`),
    ...tell(step.olderFields, names => `Removed: ${names}.`),
  ]
}

function changesOf(version: Version): string[] {
  const step = steps.find(each => versions[versions.indexOf(each.version) + 1] === version)
  const notes = step ? [...step.notes, ...fieldNotes(step)] : []
  const rows = notes.map(note => `| ${note.resource} | ${note.in === 'answer' ? 'response' : note.in} | ${note.says} |`)
  const added = endpoints.filter(({ since }) => since === version)
  const gone = version === '2024-04-04' ? removedEndpoints : []
  return [
    `## ${version}${version === NEWEST_VERSION ? ', the latest' : ''}${version === PINNED_VERSION ? ', the default for new teams' : ''}`,
    '',
    ...(rows.length > 0
      ? ['| What | Where | Change |', '| --- | --- | --- |', ...rows, '']
      : ['The oldest version.', '']),
    ...(added.length > 0
      ? [`New endpoints: ${added.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}.`, '']
      : []),
    ...(gone.length > 0
      ? [
          'Removed endpoints. Each returns 404 with this message, in every version:',
          '',
          '| Endpoint | Instead |',
          '| --- | --- |',
          ...gone.map(({ path, instead }) => `| \`${path.replace(/:(\w+)/g, '{$1}')}\` | ${instead} |`),
          '',
          '`/entities/{ent_id}/vehicles` and `/accounts/{acc_id}/sensitive` were also removed, but are available again as products.',
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
    'This page lists the dated versions of the API, latest first, and the changes in each.',
    '`tsx --conditions=source scripts/docs/docs-versions.ts` generates this page from the steps in `apps/api/src/versions`; do not edit it.',
    '',
    '## Request versions',
    '',
    `The header \`${VERSION_HEADER}: ${NEWEST_VERSION}\` sets a request’s version and overrides the team’s,`,
    'so you can use several versions during an upgrade. A request without the header uses its team’s version.',
    `New teams use version ${PINNED_VERSION}. An unknown version is rejected with \`INVALID_VERSION\`.`,
    'The API returns events in the request’s version. Webhooks deliver events in the webhook’s version or, if it has none, in the team’s.',
    'A response stored under an idempotency key is replayed in the version of the first request, even if the repeated request has another version, and in the shape of the repeated request’s mount.',
    '',
    `The versions are ${new Intl.ListFormat('en-GB').format([...versions].reverse())}. \`/openapi.json?version=${PINNED_VERSION}\` describes a single version.`,
    '',
    '## How to upgrade',
    '',
    '1. Read the changes below, starting with the version after yours.',
    `2. In one part of your code, send \`${VERSION_HEADER}\` with the new version, and test that part in the sandbox.`,
    '3. After all of your code sends the new version, change the team’s version: `PATCH /team` with `{ "version": "..." }`. Webhooks without their own version then use the new version too.',
    '4. A team’s version only moves forward. To go back, ask the operator: `pnpm admin version set TEAM VERSION` sets any version.',
    '',
    ...[...versions].reverse().flatMap(changesOf),
    '## Fields that are always null',
    '',
    'Older versions have these fields, but the service has no data for them.',
    '',
    '| Version | What | Fields | Why |',
    '| --- | --- | --- | --- |',
    ...sourceless.map(({ version, of, fields, why }) => `| ${version} | ${of} | ${code(fields)} | ${why} |`),
    '',
    '## Other descriptions of this API',
    '',
    'Published documents and client libraries of services with this API disagree with one another in places. This table',
    'lists what this service does. For generated clients, allow both forms.',
    '',
    '| What | Elsewhere | This service |',
    '| --- | --- | --- |',
    ...apiDifferences.map(({ what, elsewhere, here }) => `| ${what} | ${elsewhere} | ${here} |`),
    '',
  ].join('\n')
}

const text = write()
if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('docs/versions.md is out of date: run scripts/docs/docs-versions.ts')
  process.exitCode = 1
}
