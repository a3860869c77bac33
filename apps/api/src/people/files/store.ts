import type { Prefix } from '@causeway/contract/ids'
import { DAY_MS } from '@causeway/contract/time'
import { createId } from '../../platform/crypto/random.js'
import type { Tables } from '../../platform/db/tables.js'
import { findRow } from '../../platform/rows.js'
import { type Scope, sealer } from '../../platform/scope.js'

export type FileRow = Tables['files']

/** A file that is not complete after this time is deleted. The job that receives it ends long before. */
const INCOMPLETE_LIFETIME_MS = DAY_MS

const placeOf = (file: string, number: number) => ({ id: file, field: `part ${number}` })

/** Inserts an empty file, in a transaction of its own. Clients can't see a file until {@link completeFiles}. */
export async function insertFile(scope: Scope, entity: string, type: string, mime: string): Promise<FileRow> {
  const row: FileRow = {
    team_id: scope.team.id,
    id: createId('file' satisfies Prefix, scope.now),
    entity_id: entity,
    type,
    mime_type: mime,
    size: 0,
    parts: 0,
    expires_at: scope.deps.clock() + INCOMPLETE_LIFETIME_MS,
    created_at: scope.now,
  }
  await scope.deps.store.write(tx => tx.insertInto('files').values(row).execute())
  return row
}

/**
 * Appends a part, in a transaction of its own.
 * @returns false if the file no longer exists, because the person withdrew consent
 */
export function appendPart(scope: Scope, file: string, number: number, bytes: Buffer): Promise<boolean> {
  const content = sealer(scope).sealBytes(placeOf(file, number), bytes)
  return scope.deps.store.write(async tx => {
    // Locks the file, so that a transaction that deletes it also deletes this part.
    const updated = await tx
      .updateTable('files')
      .set(row => ({ size: row('size', '+', bytes.length), parts: number + 1 }))
      .where('team_id', '=', scope.team.id)
      .where('id', '=', file)
      .where('parts', '=', number)
      .returning('id')
      .executeTakeFirst()
    if (!updated) return false
    await tx.insertInto('file_parts').values({ team_id: scope.team.id, file_id: file, number, content }).execute()
    return true
  })
}

/** Makes files visible to clients, and keeps them. */
export async function completeFiles(scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await scope.db
    .updateTable('files')
    .set({ expires_at: null })
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids)
    .execute()
}

/** Finds a complete file. */
export async function findFile(scope: Scope, id: string): Promise<FileRow | undefined> {
  const row = await findRow(scope, 'files', id)
  // mutant: incomplete-files-are-hidden (true)
  const isComplete = row?.expires_at === null
  return isComplete ? row : undefined
}

/** Yields a file's bytes, part by part. Throws if the file is deleted in the meantime. */
export async function* readParts(scope: Scope, { id, parts }: FileRow): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < parts; number += 1) {
    const { content } = await scope.db
      .selectFrom('file_parts')
      .select('content')
      .where('team_id', '=', scope.team.id)
      .where('file_id', '=', id)
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    yield sealer(scope).openBytes(placeOf(id, number), content)
  }
}

/** Deletes all files about a person. */
export async function deleteFilesOf(scope: Scope, entity: string): Promise<void> {
  const deleted = await scope.db
    .deleteFrom('files')
    .where('team_id', '=', scope.team.id)
    .where('entity_id', '=', entity)
    .returning('id')
    .execute()
  if (deleted.length === 0) return
  await scope.db
    .deleteFrom('file_parts')
    .where('team_id', '=', scope.team.id)
    .where(
      'file_id',
      'in',
      deleted.map(({ id }) => id),
    )
    .execute()
}
