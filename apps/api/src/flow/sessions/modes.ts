import { type DocumentId, documentVersions, type Mode, type Step } from '@causeway/contract/session'
import {
  accountConfig,
  cardConfig,
  connectConfig,
  identityConfig,
  transactionsConfig,
  transferConfig,
} from './config.js'
import type { SessionConfig } from './session.js'

/** The definition of a mode: all differences between them, but for the allocation, which goes with its terms. */
export interface ModeRules {
  /** The name under which its end is reported. */
  flow: string
  /** The accounts that it is about: those that a connection finds, the one that its configuration names, or none. */
  accounts: 'found' | 'named' | 'none'
  /** True if those are cards alone. */
  cards: boolean
  /** True if the person can say with their choice that accounts opened later are shared too. */
  future: boolean
  /** The last step before its end, for the progress that is shown. */
  last: Step
  /** The terms that the person accepts. The words are the frame's, by id and version. */
  documents: { id: DocumentId; version: string }[]
  /** The configuration that the block of an Opal token with the mode's name asks for. */
  config(block: never): SessionConfig
}

const newest = (id: DocumentId) => ({ id, version: documentVersions[id][0] as string })
const documents = (...ids: DocumentId[]) => ids.map(newest)
/** The terms of sharing accounts that the person opens later. */
export const futureAccounts = newest('future_accounts')
/** The actions that a confirmation authorizes. */
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
    config: identityConfig,
  },
  connect: {
    flow: 'connect',
    accounts: 'found',
    cards: false,
    future: true,
    last: 'number',
    documents: all,
    config: connectConfig,
  },
  card_connect: {
    flow: 'connect',
    accounts: 'found',
    cards: true,
    future: false,
    last: 'card',
    documents: all,
    config: cardConfig,
  },
  account_verification: {
    flow: 'account_verification',
    accounts: 'named',
    cards: false,
    future: false,
    last: 'card',
    documents: documents('esign', 'account_data', 'text_messages', 'privacy'),
    config: accountConfig,
  },
  transactions: {
    flow: 'transactions',
    accounts: 'found',
    cards: true,
    future: false,
    last: 'card',
    documents: documents('esign', 'account_data', 'transactions', 'credit_report', 'text_messages', 'privacy'),
    config: transactionsConfig,
  },
  balance_transfer: {
    flow: 'balance_transfer',
    accounts: 'found',
    cards: false,
    future: false,
    last: 'done',
    documents: all,
    config: transferConfig,
  },
}
