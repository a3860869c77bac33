/**
 * Links that open a file without a key. A link names the team, the file, the caller who received it and the time at which
 * it expires, and ends with a keyed hash of these. The store has no links, so there is nothing to look up or to delete.
 */
import { HOUR_MS } from '@causeway/contract/time'
import { sameText, type Vault } from '../../platform/crypto/vault.js'
import type { Ctx } from '../../platform/scope.js'

const LINK_LIFETIME_MS = HOUR_MS
const MAX_LINK_LENGTH = 300

export interface FileLink {
  team: string
  file: string
  /** The caller who received the link. */
  actor: string
  /** In epoch milliseconds of team time. */
  expiresAt: number
}

const sign = (vault: Vault, text: string) => vault.hash('file link', text)

/** Creates a link to a file for the caller. */
export function createLink({ deps, team, actor, now }: Ctx, file: string): { url: string; expiresAt: number } {
  const expiresAt = now + LINK_LIFETIME_MS
  const text = [team.id, file, actor, expiresAt.toString(36)].join('.')
  return { url: `${deps.apiOrigin}/file_links/${text}.${sign(deps.vault, text)}`, expiresAt }
}

/** Reads a link. Returns null if the service did not sign it. */
export function readLink(vault: Vault, link: string): FileLink | null {
  if (link.length > MAX_LINK_LENGTH) return null
  const end = link.lastIndexOf('.')
  const text = link.slice(0, Math.max(0, end))
  // mutant: file-link-is-signed (false)
  const isForged = !sameText(sign(vault, text), link.slice(end + 1))
  if (isForged) return null
  const [team = '', file = '', actor = '', expires = ''] = text.split('.')
  return { team, file, actor, expiresAt: Number.parseInt(expires, 36) }
}
