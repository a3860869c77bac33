import { type DocumentId, documentVersions, type Mode, type Step } from '@causeway/contract/session'
import {
  readAccountVerification,
  readBalanceTransfer,
  readCardConnect,
  readIdentity,
  readOpalConnect,
  readTransactions,
} from './config.js'
import type { SessionConfig } from './session.js'

/** What makes a mode one: all that is different between them, but for the allocation, which goes with its terms. */
export interface ModeRules {
  /** Whose name its end is told under. */
  flow: string
  /** The accounts that it is about: those that a connection finds, the one that its configuration names, or none. */
  accounts: 'found' | 'named' | 'none'
  /** Whether those are cards alone. */
  cards: boolean
  /** Whether the person can say with their choice that accounts opened later are shared too. */
  future: boolean
  /** The last step before its end, for the progress that is shown. */
  last: Step
  /** What the person accepts. The words are the frame's, by id and version. */
  documents: { id: DocumentId; version: string }[]
  /** Reads the block of an Opal token that is called like the mode. Throws INVALID_REQUEST. */
  read(block: unknown): SessionConfig
}

const newest = (id: DocumentId) => ({ id, version: documentVersions[id][0] as string })
const documents = (...ids: DocumentId[]) => ids.map(newest)
/** What the person agrees to who shares accounts that they open later. */
export const futureAccounts = newest('future_accounts')
/** What a confirmation authorizes. */
export const authorization = newest('payments')

const all = documents('esign', 'account_data', 'credit_report', 'text_messages', 'privacy')

export const modeRules: Readonly<Record<Mode, ModeRules>> = {
  identity_verification: {
    flow: 'identity_verification',
    accounts: 'none',
    cards: false,
    future: false,
    last: 'questions',
    documents: documents('esign', 'text_messages', 'privacy'),
    read: readIdentity,
  },
  connect: {
    flow: 'connect',
    accounts: 'found',
    cards: false,
    future: true,
    last: 'number',
    documents: all,
    read: readOpalConnect,
  },
  card_connect: {
    flow: 'connect',
    accounts: 'found',
    cards: true,
    future: false,
    last: 'card',
    documents: all,
    read: readCardConnect,
  },
  account_verification: {
    flow: 'account_verification',
    accounts: 'named',
    cards: false,
    future: false,
    last: 'card',
    documents: documents('esign', 'account_data', 'text_messages', 'privacy'),
    read: readAccountVerification,
  },
  transactions: {
    flow: 'transactions',
    accounts: 'found',
    cards: true,
    future: false,
    last: 'card',
    documents: documents('esign', 'account_data', 'transactions', 'credit_report', 'text_messages', 'privacy'),
    read: readTransactions,
  },
  balance_transfer: {
    flow: 'balance_transfer',
    accounts: 'found',
    cards: false,
    future: false,
    last: 'done',
    documents: all,
    read: readBalanceTransfer,
  },
}
