/** Operator endpoints for the configured providers, the payee directory and banks' notices. */
import {
  type ConnectionView,
  connections as declared,
  type NoticeView,
  type PayeeView,
} from '@causeway/contract/endpoints/console-connections'
import { ServiceError } from '@causeway/contract/errors'
import { DAY_MS } from '@causeway/contract/time'
import { type DirectoryEntry, listPayees, maskNumber } from '../../network/payees/directory.js'
import type { ConnectionFacts } from '../../network/ports.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Deps } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type ConsoleRoute, implementForConsole } from '../console-endpoints.js'
import { countRepairs, findConfirmations, listNotices, PAGE_SIZE, readCursor, toPage } from '../operator-store.js'
import { findStates, readUsage, type Usage } from './store.js'

const WEEK_MS = 7 * DAY_MS

const showTimeOrNull = (at: number | null | undefined): string | null => (at == null ? null : showTime(at))

function showConnection(
  { name, title, environment, hosts, proven, methods, otherMethods, settings, hasHooks, isCounted }: ConnectionFacts,
  usage: { day: Usage; week: Usage },
  state: { rejected_key_at: number | null; hook_at: number | null } | undefined,
): ConnectionView {
  const show = ({ calls, failures, hooks }: Usage) => ({ calls, failures, webhooks: hooks })
  const { last } = usage.week
  return {
    ...{ name, title, environment, hosts, proven, methods, other_methods: otherMethods },
    settings: settings.map(setting => ({
      name: setting.name,
      is_secret: setting.isSecret,
      is_set: setting.isSet,
      value: setting.value,
    })),
    key_rejected_at: showTimeOrNull(state?.rejected_key_at),
    receives_webhooks: hasHooks,
    webhook_at: showTimeOrNull(state?.hook_at),
    day: isCounted ? show(usage.day) : null,
    week: isCounted ? show(usage.week) : null,
    last_failure: last && { at: showTime(last.at), kind: last.kind, method: last.path },
  }
}

/** Returns the names of merchants by id. */
function namesOf({ ports }: Deps, ids: readonly string[]): ReadonlyMap<string, string> {
  return new Map(ports.network.merchants(ids).map(({ id, name }) => [id, name] as const))
}

const textsOf = (details: object): Record<string, string> =>
  Object.fromEntries(Object.entries(details).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])))

function showPayee(entry: DirectoryEntry, names: ReadonlyMap<string, string>): PayeeView {
  const { id, mch_id, status, route, max_amount, note, proposed_by, proposed_at, decided_by, decided_at } = entry
  const { route: _, ...details } = entry.details
  return {
    ...{ id, route, max_amount, note, proposed_by },
    merchant: { id: mch_id, name: names.get(mch_id) ?? null },
    status: status === 'proposed' ? 'proposed' : 'active',
    details: textsOf(details),
    proposed_at: showTime(proposed_at),
    confirmed_by: decided_by,
    confirmed_at: showTimeOrNull(decided_at),
  }
}

type NoticeRow = Awaited<ReturnType<typeof listNotices>>[number]
const correctedJson = jsonColumn<Record<string, string>>('payment_notices.corrected')

/** Opens the corrected details of a notice, and masks the account number. */
async function openCorrection(
  { vault, teamOf }: Deps,
  { team_id, payment_id, corrected }: NoticeRow,
): Promise<Record<string, string>> {
  const team = corrected === null ? undefined : await teamOf(team_id)
  if (corrected === null || !team) return {}
  const sealer = vault.sealer(team.id, team.dataKey)
  const { number, ...rest } = correctedJson.read(sealer.open({ id: payment_id, field: 'corrected' }, corrected))
  return textsOf({ ...rest, number: number && maskNumber(number) })
}

const noticeCursor = ({ created_at, payment_id, code, at }: NoticeRow): string =>
  [created_at, payment_id, code, at].join('.')

export const connectionRoutes: ConsoleRoute[] = [
  implementForConsole(declared.listConnections, async ({ deps }) => {
    const facts = deps.connections()
    const names = facts.map(({ name }) => name)
    const now = deps.clock()
    const [states, day, week, repairs] = await Promise.all([
      findStates(deps.store.reader, names),
      readUsage(deps.store.reader, names, now - DAY_MS),
      readUsage(deps.store.reader, names, now - WEEK_MS),
      countRepairs(deps.store.reader),
    ])
    return {
      data: facts.map(each =>
        showConnection(each, { day: day(each.name), week: week(each.name) }, states.get(each.name)),
      ),
      capabilities: deps.capabilities
        .list()
        .map(({ kind, name, reason, providers }) => ({ kind, name, reason, providers: [...providers] })),
      repairs,
    }
  }),
  implementForConsole(declared.listPayees, async ({ deps, query }) => {
    const status = query.get('status') ?? 'active'
    if (status !== 'active' && status !== 'proposed')
      throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'status must be active or proposed.')
    const [before = null] = readCursor(query.get('page_cursor'), /^\w{1,60}$/) ?? []
    const { data, next_cursor } = toPage(await listPayees(deps, status, before, PAGE_SIZE + 1), row => row.id)
    const names = namesOf(deps, [...new Set(data.map(({ mch_id }) => mch_id))])
    return { data: data.map(entry => showPayee(entry, names)), next_cursor }
  }),
  implementForConsole(declared.listNotices, async ({ deps, query }) => {
    const { reader } = deps.store
    const parts = readCursor(query.get('page_cursor'), /^(\d{1,13})\.(\w{1,60})\.(\w{1,10})\.(\d{1,13})$/)
    const [, created_at, payment_id = '', code = '', at] = parts ?? []
    const before = parts && { created_at: Number(created_at), payment_id, code, at: Number(at) }
    const { data, next_cursor } = toPage(await listNotices(reader, before), noticeCursor)
    const merchants = [...new Set(data.flatMap(({ mch_id }) => mch_id ?? []))]
    const confirmations = await findConfirmations(reader, merchants)
    const names = namesOf(deps, merchants)
    const corrections = await Promise.all(data.map(row => openCorrection(deps, row)))
    return {
      data: data.map((row, index): NoticeView => {
        const { mch_id } = row
        const isReplaced = mch_id !== null && (confirmations.get(mch_id) ?? 0) > row.created_at
        return {
          ...{ team_id: row.team_id, payment_id: row.payment_id, account_id: row.destination, code: row.code },
          merchant: mch_id === null ? null : { id: mch_id, name: names.get(mch_id) ?? null },
          at: showTime(row.at),
          received_at: showTime(row.created_at),
          corrected: corrections[index]!,
          state: row.handled_at !== null ? 'account_corrected' : isReplaced ? 'payee_confirmed' : 'open',
        }
      }),
      next_cursor,
    }
  }),
]
