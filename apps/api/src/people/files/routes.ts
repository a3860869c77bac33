import { endpoints } from '@causeway/contract/endpoints/files'
import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../../platform/audit/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { type Answer, one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import { reading, type Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { auditReads } from '../../team/teams/reads.js'
import { findEntity } from '../holders/store.js'
import { requireAllShared } from './credit-reports.js'
import { createLink, readLink } from './links.js'
import { type FileRow, findFile, readParts } from './store.js'

/** Finds a file that the team may read now. */
async function findReadable(scope: Scope, id: string): Promise<FileRow> {
  const file = orNotFound(await findFile(scope, id))
  await requireAllShared(scope, orNotFound(await findEntity(scope, file.entity_id)))
  return file
}

const extensions: Readonly<Record<string, string>> = { 'application/json': 'json', 'application/pdf': 'pdf' }

const contents = (scope: Scope, file: FileRow): Answer => ({
  shape: 'stream',
  parts: () => readParts(reading(scope.deps, scope.team), file),
  type: file.mime_type,
  headers: {
    'Content-Disposition': `attachment; filename="${file.type}.${extensions[file.mime_type] ?? 'bin'}"`,
    'Content-Length': String(file.size),
  },
})

export const fileRoutes: Route[] = [
  implement(endpoints.retrieveFile, {
    async handle(ctx, { params }) {
      const { id, type, mime_type, created_at } = await findReadable(ctx, params.file_id)
      await auditReads(ctx, 'file.read', [id])
      const { url, expiresAt } = createLink(ctx, id)
      return one({
        id,
        type,
        mime_type,
        download_url: url,
        download_expires_at: showTime(expiresAt),
        created_at: showTime(created_at),
        updated_at: showTime(created_at),
      })
    },
  }),
  implement(endpoints.downloadFile, {
    async handle(ctx, { params }) {
      const file = await findReadable(ctx, params.file_id)
      await auditReads(ctx, 'file.read', [file.id])
      return contents(ctx, file)
    },
  }),
  implement(endpoints.openFileLink, {
    async handle({ deps }, { params }) {
      const link = readLink(deps.vault, params.link)
      const team = link && (await deps.teamOf(link.team))
      if (!link || !team)
        throw new ServiceError('NOT_FOUND', 'The link is not valid. Retrieve the file to get another.')
      const scope = reading(deps, team)
      // mutant: file-link-expires (false)
      const isExpired = link.expiresAt <= scope.now
      if (isExpired) throw new ServiceError('EXPIRED_TOKEN', 'The link has expired. Retrieve the file to get another.')
      const file = await findReadable(scope, link.file)
      await deps.store.write(db => audit({ ...scope, db }, link.actor, 'file.download', file.id))
      return contents(scope, file)
    },
  }),
]
