/** Reads the state of a transfer at any time from its time stamps. */
import type { RailCorrection, RailReturn, RailStatus } from '@causeway/connector/ports/rail'
import type { ResourceErrorCode } from '@causeway/contract/errors'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import type Increase from 'increase'
import type { Route, Transfer } from './client.js'
import { type ChangeCode, changeCodes, declineCode, REJECTED, returnCode } from './codes.js'

/** A change of a transfer's state. */
interface Change {
  at: number
  status: Exclude<RailStatus, 'pending' | 'partial_reversal_processing'>
  code: ResourceErrorCode | null
  returned_as?: RailReturn
}

export interface TransferState {
  status: Exclude<RailStatus, 'partial_reversal_processing'>
  code: ResourceErrorCode | null
  returned_as: RailReturn | null
  next_at: number | null
}

/** A state that overrides another, whatever their times. A returned payment is never posted again. */
const ranks = ['processing', 'sent', 'posted', 'failed', 'reversal_required'] as const

/** Time after submission within which the Federal Reserve and the card networks usually answer. */
const ANSWER_MS = 30 * MINUTE_MS
const MAILING_CHECK_MS = 6 * HOUR_MS
/** ACH entries can be returned for 60 days. The return arrives on the banking day after. */
const RETURN_WINDOW_MS = 63 * DAY_MS

const knownStatuses: Record<Route, ReadonlySet<string>> = {
  ach_transfers: new Set([
    'pending_approval',
    'pending_transfer_session_confirmation',
    'canceled',
    'pending_submission',
    'pending_reviewing',
    'requires_attention',
    'rejected',
    'submitted',
    'returned',
  ] satisfies Increase.ACHTransfer['status'][]),
  check_transfers: new Set([
    'pending_approval',
    'canceled',
    'pending_submission',
    'pending_reviewing',
    'requires_attention',
    'rejected',
    'pending_mailing',
    'mailed',
    'deposited',
    'stopped',
    'returned',
  ] satisfies Increase.CheckTransfer['status'][]),
  card_push_transfers: new Set([
    'pending_approval',
    'canceled',
    'pending_submission',
    'pending_reviewing',
    'requires_attention',
    'submitted',
    'complete',
    'declined',
  ] satisfies Increase.CardPushTransfer['status'][]),
  account_transfers: new Set([
    'pending_approval',
    'canceled',
    'complete',
  ] satisfies Increase.AccountTransfer['status'][]),
}

export const isKnownStatus = (route: Route, { status }: Transfer): boolean => knownStatuses[route].has(status)

/** Reads a member of a member, such as `submission.submitted_at`. */
function readMember(transfer: Transfer, member: string, name: string): string | null {
  const inner = transfer[member] as Record<string, unknown> | null | undefined
  const value = typeof inner === 'object' ? inner?.[name] : undefined
  return typeof value === 'string' ? value : null
}

/** Reads a time stamp, or null if it is absent or not a time. */
export function readTime(transfer: Transfer, member: string, name: string): number | null {
  const value = readMember(transfer, member, name)
  const at = value === null ? Number.NaN : Date.parse(value)
  return Number.isNaN(at) ? null : at
}

/** The statuses that have no time stamp of their own. The time at which they were first seen is used. */
const undated: Record<Route, Partial<Record<string, Change['status']>>> = {
  ach_transfers: { rejected: 'failed', canceled: 'failed' },
  check_transfers: { rejected: 'failed', canceled: 'failed', deposited: 'posted', returned: 'reversal_required' },
  card_push_transfers: { canceled: 'failed' },
  account_transfers: { complete: 'posted', canceled: 'failed' },
}

/** Returns true if the transfer's status has no time stamp, so that the caller must say when it was first seen. */
export const needsSeenAt = (route: Route, { status }: Transfer): boolean => undated[route][status] !== undefined

/** Returns every change of a transfer, in no order. `seenAt` is the time at which an undated status was first seen. */
function changesOf(route: Route, transfer: Transfer, seenAt: number | null): Change[] {
  const changes: Change[] = []
  const add = (
    at: number | null,
    status: Change['status'],
    code: ResourceErrorCode | null = null,
    raw?: RailReturn,
  ) => {
    if (at !== null) changes.push({ at, status, code, ...(raw && { returned_as: raw }) })
  }
  const undatedStatus = undated[route][transfer.status]
  if (undatedStatus) add(seenAt, undatedStatus, undatedStatus === 'posted' ? null : REJECTED)
  add(readTime(transfer, 'submission', 'submitted_at'), 'processing')
  if (route === 'ach_transfers') {
    add(readTime(transfer, 'acknowledgement', 'acknowledged_at'), 'sent')
    add(readTime(transfer, 'settlement', 'settled_at'), 'posted')
    const at = readTime(transfer, 'return', 'created_at')
    const raw = (readMember(transfer, 'return', 'raw_return_reason_code') ?? 'unknown').slice(0, 20)
    const trace = readMember(transfer, 'return', 'trace_number')
    if (at !== null) add(at, 'reversal_required', returnCode(raw), { code: raw, at, trace })
  }
  if (route === 'check_transfers') {
    const mailedAt = readTime(transfer, 'mailing', 'mailed_at')
    const stoppedAt = readTime(transfer, 'stop_payment_request', 'requested_at')
    const reason = readMember(transfer, 'stop_payment_request', 'reason') ?? 'unknown'
    add(mailedAt, 'sent')
    if (stoppedAt !== null)
      add(stoppedAt, mailedAt !== null && mailedAt <= stoppedAt ? 'reversal_required' : 'failed', REJECTED, {
        code: reason.slice(0, 100),
        at: stoppedAt,
        trace: null,
      })
  }
  if (route === 'card_push_transfers') {
    add(readTime(transfer, 'acceptance', 'accepted_at'), 'posted')
    const at = readTime(transfer, 'decline', 'declined_at')
    const reason = readMember(transfer, 'decline', 'reason') ?? 'unknown'
    if (at !== null) add(at, 'failed', declineCode(reason), { code: reason.slice(0, 100), at, trace: null })
  }
  return changes
}

/**
 * Returns a transfer's state at `now`, and the time of the next query. It depends on nothing but the time stamps, so
 * the state at an earlier time never changes.
 * @param realNow the real time, which is later than `now` if the caller reads the past
 */
export function stateOf(
  route: Route,
  transfer: Transfer,
  { now, realNow, seenAt }: { now: number; realNow: number; seenAt: number | null },
): TransferState {
  const changes = changesOf(route, transfer, seenAt)
  const current = changes
    .filter(({ at }) => at <= now)
    .sort((a, b) => ranks.indexOf(a.status) - ranks.indexOf(b.status))
    .at(-1)
  const later = [...changes, ...noticesOf(transfer)].map(({ at }) => at).filter(at => at > now)
  const status = current?.status ?? 'pending'
  return {
    status,
    code: current?.code ?? null,
    returned_as: current?.returned_as ?? null,
    next_at: later.length > 0 ? Math.min(...later) : nextQuery(route, transfer, status, Math.max(now, realNow)),
  }
}

/**
 * Returns the first time after `now` that is a whole number of intervals after `start`. The times do not depend on when
 * the caller asks, so that a caller whose clock is ahead does not get times that are about to pass.
 */
export function nextRepeat(start: number, interval: number, now: number): number {
  const repeats = Math.floor((now - start) / interval) + 1
  return start + Math.max(repeats, 1) * interval
}

/** Returns the time at which a transfer is expected to change. Webhooks usually come earlier. */
function nextQuery(route: Route, transfer: Transfer, status: TransferState['status'], now: number): number | null {
  const createdAt = Date.parse(String(transfer['created_at']))
  const repeat = (interval: number) => nextRepeat(Number.isNaN(createdAt) ? 0 : createdAt, interval, now)
  const firstAfter = (...times: (number | null)[]) =>
    Math.min(...times.filter(at => at !== null).filter(at => at > now), repeat(DAY_MS))
  switch (status) {
    case 'pending':
      return repeat(ANSWER_MS)
    case 'processing':
      return repeat(route === 'check_transfers' ? MAILING_CHECK_MS : ANSWER_MS)
    case 'sent':
      if (route === 'check_transfers') return repeat(DAY_MS)
      return expectedSettlement(transfer, now) ?? repeat(ANSWER_MS)
    case 'posted': {
      if (route === 'card_push_transfers' || route === 'account_transfers') return null
      const settledAt = readTime(transfer, 'settlement', 'settled_at') ?? readTime(transfer, 'mailing', 'mailed_at')
      const lastAt = settledAt === null ? null : settledAt + RETURN_WINDOW_MS
      if (lastAt !== null && now >= lastAt) return null
      return firstAfter(readTime(transfer, 'submission', 'administrative_returns_expected_by'), lastAt)
    }
    default:
      return null
  }
}

function expectedSettlement(transfer: Transfer, now: number): number | null {
  const at = readTime(transfer, 'submission', 'expected_funds_settlement_at')
  return at !== null && at > now ? at : null
}

function noticesOf({ notifications_of_change: notices }: Transfer) {
  if (!Array.isArray(notices)) return []
  return (notices as Partial<Increase.ACHTransfer.NotificationsOfChange>[]).map(notice => ({
    ...notice,
    at: Date.parse(String(notice?.created_at)),
  }))
}

/** Returns the latest notification of change up to `now`, with the details that later payments must use. */
export function noticeOf(
  transfer: Transfer,
  now: number,
): { noc: { code: string; at: number }; corrected: RailCorrection } | null {
  const latest = noticesOf(transfer)
    .filter(({ at }) => at <= now)
    .sort((a, b) => a.at - b.at)
    .at(-1)
  if (!latest) return null
  const {
    corrected_routing_number: routing,
    corrected_account_number: number,
    corrected_account_funding: funding,
  } = latest
  const type = funding === 'checking' || funding === 'savings' || funding === 'loan' ? funding : null
  return {
    noc: {
      code: changeCodes[latest.change_code as ChangeCode] ?? String(latest.change_code).slice(0, 100),
      at: latest.at,
    },
    corrected: {
      ...(routing && { routing: routing.slice(0, 20) }),
      ...(number && { number: number.slice(0, 40) }),
      ...(type && { account_type: type }),
    },
  }
}
