import { isDeepStrictEqual } from 'node:util'
import type { display, endpoints, inlineEntity } from '@causeway/contract/endpoints/elements'
import { ServiceError } from '@causeway/contract/errors'
import { prefixes } from '@causeway/contract/ids'
import type { Mode } from '@causeway/contract/session'
import type { z } from 'zod'
import { readNewEntity } from '../../people/entities/input.js'
import { type EntityDetails, type EntityRow, entityDetails } from '../../people/holders/entity.js'
import { readDetails } from '../../people/holders/show-entity.js'
import { findEntity } from '../../people/holders/store.js'
import { auditConsole } from '../../platform/audit/store.js'
import { createId, randomText } from '../../platform/crypto/random.js'
import { sha256 } from '../../platform/crypto/vault.js'
import { type Ctx, type Scope, sealer } from '../../platform/scope.js'
import { readUrl } from '../../team/teams/origin.js'
import { isTyped } from '../session/facts.js'
import { modeRules } from '../session/modes.js'
import {
  blankProgress,
  readConfig,
  type SessionConfig,
  type SessionRow,
  sessionJson,
  tokenJson,
} from '../session/session.js'
import { addToDirectory, lockSession, type TokenRow } from '../session/store.js'
import { emitUpdate, updateSession } from '../session/update-session.js'
import { checkCapabilities } from './check-capabilities.js'
import { LINK_LIFETIME_MS, TOKEN_LIFETIME_MS } from './lifetimes.js'
import { configOfNamed } from './named-account.js'
import { allowedEmbedders, readOrigins, readRedirect } from './origins.js'

/** The request for a token. */
export interface TokenRequest {
  kind: TokenRow['kind']
  mode: Mode
  /** Null if the token resumes a session under the session's existing terms. */
  config: SessionConfig | null
  entity_id: string | undefined
  /** The entity to create when the token is redeemed. */
  entity: z.output<typeof inlineEntity> | undefined
  session_id: string | undefined
  /** The key that creates the token. */
  created_by: string
  display: Display
}

type Display = Pick<z.output<typeof endpoints.createElementToken.body>, keyof typeof display>

/**
 * Creates a token and, unless the token resumes a session, a new session.
 * @returns the session, and the token and its hosted URL, neither of which can be retrieved later
 */
export async function createToken(
  scope: Ctx,
  request: TokenRequest,
): Promise<{ token: string; session: SessionRow; validUntil: number; hosted: { hosted_url?: string } }> {
  // The body's schema can't check this rule, because a request that continues a session can omit the mode.
  if (request.mode === 'manage' && request.display.phone_proof_days)
    throw new ServiceError(
      'INVALID_REQUEST',
      'phone_proof_days must be 0 or absent for manage, which always asks for a code.',
    )
  const session = await findOrCreateSession(scope, request)
  // mutant: console-link-phone (remove)
  if (scope.deps.consoleUser) await checkLinkPhone(scope, session)
  const handle = randomText(16)
  const secret = randomText(33)
  const { display } = request
  const origins = readOrigins(display.allowed_origins, scope.deps.environment)
  const { team_logo: logo = null, team_name: name = null, appearance = null } = display
  if (logo !== null) readUrl(logo, 'team_logo', scope.deps.environment === 'sandbox')
  const own = origins && tokenJson.origins.write(origins)
  const { deps, team } = scope
  const redirect = readRedirect(display.redirect_url, deps.environment, allowedEmbedders(deps, team, own))
  const validUntil = scope.now + (redirect === null ? TOKEN_LIFETIME_MS : LINK_LIFETIME_MS)
  await scope.db
    .insertInto('tokens')
    .values({
      handle,
      kind: request.kind,
      team_id: scope.team.id,
      session_id: session.id,
      secret_hash: sha256(secret),
      origins: own,
      appearance,
      display: tokenJson.display.write({ name, logo }),
      redirect_url: redirect,
      phone_proof_days: proofDays(request, redirect),
      expires_at: validUntil,
      consumed_at: null,
      exchange_hash: null,
      exchange_until: null,
      revoked_at: null,
      created_by: request.created_by,
      created_at: scope.now,
    })
    .execute()
  await addToDirectory(scope, handle)
  const prefix = request.kind === 'element' ? prefixes.element_token : prefixes.opal_token
  // Browsers don't send the part after the #, so no server or proxy logs the secret.
  const hosted = redirect === null ? {} : { hosted_url: `${deps.frameOrigin}/h/${handle}#${secret}` }
  await auditConsole(scope, 'session.link', session.id)
  return { token: `${prefix}${handle}${secret}`, session, validUntil, hosted }
}

/**
 * Returns the maximum age, in days, of a phone proof that a token accepts. 0 means that the flow always asks for a
 * code, and null means that the team's value applies.
 */
function proofDays({ mode, display }: TokenRequest, redirect: string | null): number | null {
  // mutant: own-page-asks-for-code (remove)
  if (mode === 'manage') return 0
  if (display.phone_proof_days !== undefined) return display.phone_proof_days
  // A link can be forwarded to anyone, so by default its page asks for a code.
  // mutant: link-asks-for-code (true)
  return redirect === null ? null : 0
}

/** Returns the session's configuration with the team's setting; null if the token resumes a session under its terms. */
function configOf({ team, enveloped }: Ctx, { config }: TokenRequest): SessionConfig | null {
  // mutant: enveloped-shares-all (false)
  const sharing = team.settings.account_sharing ?? (enveloped ? 'all' : 'chosen')
  return config && { ...config, sharing }
}

async function findOrCreateSession(scope: Ctx, request: TokenRequest): Promise<SessionRow> {
  const { kind, mode, entity_id, entity, session_id } = request
  let config = configOf(scope, request)
  if (session_id !== undefined) {
    const session = await lockSession(scope, session_id)
    if (!session) throw new ServiceError('NOT_FOUND', `No session of this team was found for session_id ${session_id}.`)
    if (session.mode !== mode)
      throw new ServiceError('INVALID_MODE_CONFIG', `mode must be ${session.mode}, the session's mode.`)
    if (entity_id !== undefined && entity_id !== session.entity_id)
      throw new ServiceError(
        'INVALID_REQUEST',
        'entity_id must match the entity of the session. Send entity_id or session_id, not both.',
      )
    if (!config) return session
    if (session.released_at !== null)
      throw new ServiceError(
        'INVALID_STATUS',
        "The session is released, so its terms can no longer change. Omit balance_transfer to show the session's status.",
      )
    const { asks } = readConfig(session)
    // The person agreed to the session's products, so they can't change.
    if (config.asks !== null && !isDeepStrictEqual(config.asks, asks))
      throw new ServiceError('INVALID_REQUEST', "products can't change in a session. Create a new session instead.")
    checkCapabilities(scope, mode, config)
    const mergedConfig = { ...sessionJson.config.read(session.config), ...config, asks }
    const changed = await updateSession(scope, session, { config: sessionJson.config.write(mergedConfig) })
    await emitUpdate(scope, changed, session)
    return changed
  }
  if (!config) throw new Error('A new session must have a configuration.')
  const isNamed = modeRules[mode].accounts === 'named'
  if (mode === 'transactions' && !scope.team.settings.products.includes('transaction'))
    throw new ServiceError('TEAM_CAPABILITY_RESTRICTED')
  checkCapabilities(scope, mode, config)
  if (config.next) checkCapabilities(scope, 'balance_transfer', config.next)
  if (isNamed) config = await configOfNamed(scope, config, entity_id ?? '')
  const hash = scope.deps.vault.hash('config', JSON.stringify(config))
  if (entity_id !== undefined) {
    const entity = await findEntity(scope, entity_id)
    if (!entity) throw new ServiceError('INVALID_ENTITY')
    if (entity.type !== 'individual') throw new ServiceError('INVALID_ENTITY_TYPE')
    if (entity.status === 'disabled')
      throw new ServiceError('INVALID_ENTITY', 'entity_id must be an entity that is not disabled.')
    if (mode === 'manage') checkPhone(scope, entity)
    const open =
      kind === 'element' && !config.terms ? await findUnfinishedSession(scope, entity_id, mode, hash) : undefined
    if (open) return open
  }
  const next =
    config.next &&
    (await findOrCreateSession(scope, { ...request, mode: 'balance_transfer', config: config.next, entity: undefined }))
  const id = createId('opal_session', scope.now)
  const inline = entity === undefined ? null : readNewEntity(entity, scope)
  return scope.db
    .insertInto('sessions')
    .values({
      id,
      team_id: scope.team.id,
      entity_id: entity_id ?? null,
      inline_entity: inline && sealer(scope).seal({ id, field: 'entity' }, entityDetails.write(inline.details)),
      mode,
      config: sessionJson.config.write(config),
      config_hash: hash,
      revision: 1,
      progress: sessionJson.progress.write({
        ...blankProgress,
        next: next?.id ?? null,
        selected: isNamed ? config.accounts : null,
      }),
      allocations: '{}',
      connect_id: null,
      completed_at: null,
      payout_status: 'pending_release',
      payment_ids: '{}',
      payment_errors: '{}',
      released_at: null,
      created_at: scope.now,
      updated_at: scope.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns true if the customer sent the person's number or the person verified it. A typed number doesn't count. */
const hasOwnPhone = (scope: Scope, entity: EntityRow): boolean =>
  readDetails(scope, entity).phone !== null && !isTyped(entity, 'phone')

/** Throws if the person has no number to which a code can be sent. */
function checkPhone(scope: Scope, entity: EntityRow): void {
  if (!hasOwnPhone(scope, entity))
    throw new ServiceError(
      'INVALID_ENTITY',
      'entity_id must be an entity with a phone number that you sent or that the person verified, because manage sends a code to it.',
    )
}

/** Returns the details of the person that redeeming a session's token creates; null if it creates none. */
export function readInlineDetails(scope: Scope, { id, inline_entity }: SessionRow): EntityDetails | null {
  return inline_entity === null ? null : entityDetails.read(sealer(scope).open({ id, field: 'entity' }, inline_entity))
}

/**
 * Throws if a console user's link would ask for a phone number: the customer sent none, and the person verified none.
 * The user could type their own number, and then read what the console masks.
 */
async function checkLinkPhone(scope: Scope, session: SessionRow): Promise<void> {
  const entity = session.entity_id === null ? undefined : await findEntity(scope, session.entity_id)
  const inline = entity ? null : readInlineDetails(scope, session)
  if (entity ? hasOwnPhone(scope, entity) : inline?.phone) return
  throw new ServiceError(
    'INVALID_ENTITY',
    'The console creates links only for a person with a phone number that your server sent or that the person verified, because the page sends a code to it. Ask the person to continue on your own page.',
  )
}

/**
 * Finds an entity's latest unfinished session with the same terms, because a request for an element token does not name
 * a session.
 */
const findUnfinishedSession = (scope: Scope, entity: string, mode: Mode, hash: string) =>
  scope.db
    .selectFrom('sessions')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('entity_id', '=', entity)
    .where('mode', '=', mode)
    .where('config_hash', '=', hash)
    .where('completed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
