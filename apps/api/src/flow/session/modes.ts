import { type DocumentId, documentVersions, type Mode, type Recipients, type Step } from '@causeway/contract/session'
import {
  accountConfig,
  type Block,
  cardConfig,
  connectConfig,
  identityConfig,
  manageConfig,
  transactionsConfig,
  transferConfig,
} from './config.js'
import type { SessionConfig } from './session.js'

/** Defines a mode. Modes differ only in these rules and in the allocation, which depends on the terms. */
export interface ModeRules<M extends Mode = Mode> {
  /** The flow's name in the event that reports the end of the flow. */
  flow: string
  /** The accounts that the mode covers: those that a search finds, the one named in the configuration, or none. */
  accounts: 'found' | 'named' | 'none'
  /** True if the mode covers only cards. */
  cards: boolean
  /** True if the person can agree to share accounts that they open later. */
  future: boolean
  /** The last step before the end of the flow, for the progress display. */
  last: Step
  /** The documents that the person accepts, by id and version. The frame contains the documents' text. */
  documents: { id: DocumentId; version: string }[]
  /** Reads the configuration from the Opal token block with the mode's name. */
  config: (block: Block<M>) => SessionConfig
}

const newest = (id: DocumentId) => ({ id, version: documentVersions[id][0] as string })
const documents = (...ids: DocumentId[]) => ids.map(newest)
/** The consent to share accounts that the person opens later. */
export const futureAccountsConsent = newest('future_accounts')
/** The authorization that the person gives by confirming. */
export const paymentsConsent = newest('payments')

const all = documents('esign', 'account_data', 'credit_report', 'text_messages', 'privacy')

export const modeRules: { readonly [M in Mode]: ModeRules<M> } = {
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
  manage: {
    flow: 'manage',
    accounts: 'none',
    cards: false,
    future: false,
    last: 'manage',
    documents: [],
    config: manageConfig,
  },
}

/** Returns the documents that a person accepts in a mode. Without a bureau, none permits a credit check. */
export const documentsOf = (mode: Mode, recipients: Recipients): ModeRules['documents'] =>
  modeRules[mode].documents.filter(({ id }) => id !== 'credit_report' || 'bureau' in recipients)
