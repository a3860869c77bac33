import { connectFields } from '@causeway/contract/products/connect'
import { entityFields } from '@causeway/contract/products/of-entities'
import { fieldsUnder, readExpand } from '../../platform/http/endpoint/expand.js'
import type { Ctx } from '../../platform/scope.js'
import { isAgreed } from '../holders/consent-rules.js'
import type { EntityRow } from '../holders/entity.js'
import type { Body, EntityProduct, Product, RecordRow } from '../holders/product.js'
import { productOf } from '../holders/product-rules.js'
import { showEntity } from '../holders/show-entity.js'
import { auditShown, showRecord } from '../records/show-record.js'

import { findRecords, latestRecords } from '../records/store.js'
import { showSession } from './sessions.js'

const sessions = ['identity', 'phone'] as const
const sessionField = (kind: (typeof sessions)[number]) => `${kind}_latest_verification_session`
const expandable = [...entityFields, ...connectFields.map(field => `connect.${field}`), ...sessions.map(sessionField)]

export const readEntityExpand = (ctx: Ctx): Set<string> => readExpand(ctx, expandable)

/**
 * Returns entities in their GET format, expanded as requested. Runs at most five queries for any number of entities.
 */
export async function expandEntities(ctx: Ctx, rows: readonly EntityRow[]): Promise<Body[]> {
  const expand = readEntityExpand(ctx)
  const names = entityFields.filter(name => expand.has(name) || fieldsUnder(expand, name).size > 0)
  const { latest, records } = await latestRecords(
    ctx,
    rows.map(row => row.id),
    names,
  )
  const shownRecords: { product: Product; row: RecordRow }[] = []
  const bodies = rows.map(row => {
    const body = showEntity(ctx, row, latest.get(row.id) ?? {})
    if (row.withdrawn_at !== null) return body
    for (const name of names) {
      const record = isAgreed(row, name) ? records.get(latest.get(row.id)?.[name] ?? '') : undefined
      const product = record && productOf(ctx.deps.offers, record)
      if (record && product) shownRecords.push({ product, row: record })
      body[name] = record && product ? showRecord(ctx, product, record, row) : null
    }
    return body
  })
  await auditShown(ctx, shownRecords)
  for (const name of names) await expandRecords(ctx, bodies, name, fieldsUnder(expand, name))
  await expandSessions(
    ctx,
    bodies,
    sessions.filter(kind => expand.has(sessionField(kind))),
  )
  return bodies
}

/** Expands the fields of one product's records, such as the accounts of connects. */
async function expandRecords(ctx: Ctx, bodies: Body[], name: string, expand: ReadonlySet<string>): Promise<void> {
  const product = ctx.deps.offers.find((offer): offer is EntityProduct => 'expand' in offer && offer.name === name)
  if (expand.size === 0 || !product?.expand) return
  const records = bodies.flatMap(body => (body[name] as Body | null) ?? [])
  const byId = new Map((await product.expand.show(ctx, records, expand)).map(body => [body.id, body]))
  for (const body of bodies) {
    const current = body[name] as Body | null
    if (current) body[name] = byId.get(current.id) ?? current
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
