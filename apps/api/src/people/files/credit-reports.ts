import type { Failure } from '@causeway/connector/ports/call'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { readBase64 } from '@causeway/connector/wire/base64'
import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import type { artifacts, reportBureaus } from '@causeway/contract/resources/file'
import { createPortCall } from '../../network/ports.js'
import type { Scope } from '../../platform/scope.js'
import type { EntityRow } from '../holders/entity.js'
import { appendPart, insertFile } from './store.js'

type Artifact = (typeof artifacts)[number]
type Bureau = (typeof reportBureaus)[number]

/** A file in a connect. */
export interface ReportFile {
  id: string
  type: Artifact
  bureau: Bureau
  mime_type: string
}

const MAX_REPORT_BYTES = 100 * 1024 * 1024

/** Throws TEAM_CAPABILITY_RESTRICTED if no configured provider returns credit reports. */
export function requireReports({ deps }: Scope): void {
  const missing =
    deps.capabilities.missing('file', 'credit_report') ??
    (deps.ports.network.bureau() === undefined
      ? 'credit_report is not available: the network queries no bureau.'
      : null)
  if (missing !== null) throw new ServiceError('TEAM_CAPABILITY_RESTRICTED', `${missing} Omit bureau and artifacts.`)
}

/**
 * Throws PRODUCT_CONSENT_MISSING if the person chose in an element what to share. A report shows everything, including
 * the accounts that the person left out.
 */
export async function requireAllShared(scope: Scope, entity: EntityRow): Promise<void> {
  // mutant: report-needs-all-consent (false)
  const hasChosen = entity.agreed !== null || entity.element_connect_at !== null
  if (hasChosen || (await hasUnsharedAccount(scope, entity)))
    throw new ServiceError(
      'PRODUCT_CONSENT_MISSING',
      'The person chose in an element which accounts and products to share, and a credit report shows all of them.',
    )
}

/** Returns true if the team can't see one of the person's accounts. */
async function hasUnsharedAccount({ db, team }: Scope, { id }: EntityRow): Promise<boolean> {
  const unshared = await db
    .selectFrom('accounts')
    .select('id')
    .where('team_id', '=', team.id)
    .where('holder_id', '=', id)
    .where('awaits_consent', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return unshared !== undefined
}

/** Requests a person's report, and stores it part by part, so that it never has to fit in memory. */
export async function receiveReports(
  scope: Scope,
  entity: EntityRow,
  { request, bureau, artifacts }: { request: string; bureau: Bureau; artifacts: readonly Artifact[] },
): Promise<{ status: 'completed'; files: ReportFile[] } | Failure> {
  const files: ReportFile[] = []
  for (const type of artifacts) {
    const received = await receiveReport(scope, entity, request, bureau, type)
    if (received.status === 'failed') return received
    files.push(received.file)
  }
  return { status: 'completed', files }
}

async function receiveReport(
  scope: Scope,
  entity: EntityRow,
  request: string,
  bureau: Bureau,
  artifact: Artifact,
): Promise<{ status: 'completed'; file: ReportFile } | Failure> {
  const call = { ...createPortCall(scope, request), person: entity.person ?? '', bureau, artifact }
  let file: ReportFile | undefined
  let number = 0
  for (let offset: number | null = 0; offset !== null; number += 1) {
    const part = await scope.deps.ports.network.creditReport({ ...call, offset })
    if (part.status === 'unavailable') return failure
    if (part.status === 'failed') return part
    const bytes = readBase64(part.content)
    const end: number = offset + (bytes?.length ?? 0)
    if (bytes === null || (part.next !== null && part.next !== end) || end > MAX_REPORT_BYTES)
      throw new OutsideError(
        `network/credit_report must return base64 text, the offset that follows it, and at most ${MAX_REPORT_BYTES} bytes.`,
      )
    if (!file) {
      const { id } = await insertFile(scope, entity.id, artifact, part.mime_type)
      file = { id, type: artifact, bureau, mime_type: part.mime_type }
    }
    if (!(await appendPart(scope, file.id, number, bytes))) return failure
    offset = part.next
  }
  return { status: 'completed', file: file! }
}

const failure: Failure = { status: 'failed', code: resourceCodes.PRODUCT_EXECUTION_FAILED }
