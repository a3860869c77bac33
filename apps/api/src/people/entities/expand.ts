import { connectFields } from '@causeway/contract/products/connect'
import { entityFields } from '@causeway/contract/products/of-entities'
import { readExpand } from '../../platform/http/endpoint/expand.js'
import type { Ctx } from '../../platform/scope.js'
import { connect } from '../products/connect/product.js'
import { auditShown, expandConnects, under } from '../products/expand.js'
import type { Body, Product, RecordRow } from '../products/product.js'
import { productOf } from '../products/rules.js'
import { findRecords, latestRecords, showRecord } from '../products/store.js'
import type { EntityRow } from './entity.js'
import { showSession } from './sessions.js'
import { showEntity } from './show.js'

const sessions = ['identity', 'phone'] as const
const sessionField = (kind: (typeof sessions)[number]) => `${kind}_latest_verification_session`
const expandable = [...entityFields, ...connectFields.map(field => `connect.${field}`), ...sessions.map(sessionField)]

export const readEntityExpand = (ctx: Ctx): Set<string> => readExpand(ctx, expandable)

/**
 * Returns entities in their GET format, expanded as requested. Runs at most five queries for any number of entities.
 */
export async function expandEntities(ctx: Ctx, rows: readonly EntityRow[]): Promise<Body[]> {
  const wanted = readEntityExpand(ctx)
  const names = entityFields.filter(name => wanted.has(name) || under(wanted, name).size > 0)
  const { latest, records } = await latestRecords(
    ctx,
    rows.map(row => row.id),
    names,
  )
  const shown: { product: Product; row: RecordRow }[] = []
  const bodies = rows.map(row => {
    const body = showEntity(ctx, row, latest.get(row.id) ?? {})
    if (row.withdrawn_at !== null) return body
    for (const name of names) {
      const found = records.get(latest.get(row.id)?.[name] ?? '')
      const product = found && productOf(ctx.deps.offers, found)
      if (found && product) shown.push({ product, row: found })
      body[name] = found && product ? showRecord(ctx, product, found, row) : null
    }
    return body
  })
  await auditShown(ctx, shown)
  await expandWithin(ctx, bodies, under(wanted, connect.name))
  await expandSessions(
    ctx,
    bodies,
    sessions.filter(kind => wanted.has(sessionField(kind))),
  )
  return bodies
}

async function expandWithin(ctx: Ctx, bodies: Body[], wanted: ReadonlySet<string>): Promise<void> {
  if (wanted.size === 0) return
  const connects = bodies.flatMap(body => (body['connect'] as Body | null) ?? [])
  const byId = new Map((await expandConnects(ctx, connects, wanted)).map(body => [body.id, body]))
  for (const body of bodies) {
    const known = body['connect'] as Body | null
    if (known) body['connect'] = byId.get(known.id) ?? known
  }
}

type Proofs = Record<(typeof sessions)[number], { latest_verification_session: unknown }>

async function expandSessions(ctx: Ctx, bodies: Body[], kinds: readonly (typeof sessions)[number][]): Promise<void> {
  const proofs = bodies.flatMap(body => (body['verification'] as Proofs | null) ?? [])
  const places = proofs.flatMap(proof => kinds.map(kind => proof[kind]))
  const ids = places.flatMap(place => (place.latest_verification_session as string | null) ?? [])
  const records = await findRecords(ctx, ids)
  for (const place of places) {
    const row = records.get(String(place.latest_verification_session))
    if (row) place.latest_verification_session = showSession(row)
  }
}
