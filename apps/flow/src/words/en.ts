/**
 * The English text of the shell and the first screen, with one key per sentence. The amounts, dates and names passed
 * to a function are already formatted for the locale. The text of the other screens is in `en.rest.ts`, which loads with
 * the first of them. Legal text is in `documents.en.ts` and its translations, which load when the person opens a
 * document.
 */
import type { rest } from './en.rest.js'

export const en = {
  app: {
    title: (brand: string) => `Connect your accounts to ${brand}`,
    titleOwn: (brand: string) => `What you share with ${brand}`,
    back: 'Back',
    close: 'Close',
    progress: 'Progress',
    loading: 'Opening your secure session',
    working: 'Working…',
    retry: 'Try again',
    encrypted: 'Encrypted',
    privacy: 'Privacy',
    newTab: '(opens in a new tab)',
    reconnecting: 'Your session timed out to keep you safe. Opening it again…',
  },
  fault: {
    offline: 'You’re offline. We’ll try again when you’re connected.',
    unavailable: 'That didn’t reach us.',
    limited: 'Too many requests in a short time. Wait a moment, then try again.',
    limitedFor: (seconds: number) => `Too many requests in a short time. Try again in ${seconds} seconds.`,
    startTitle: 'We couldn’t open your session',
    startOffline: 'Your device is offline. Connect to the internet and try again.',
    startUnavailable: 'The connection failed. Nothing was lost. Try again in a moment.',
    overTitle: 'Your session has ended',
    closedTitle: 'You can close this window',
    closedBody: 'Your progress is saved.',
    screen: 'This part of the page didn’t load. Check your connection and try again.',
  },
  error: {
    generic: 'That wasn’t accepted. Check it and try again.',
    changed: 'Something changed while you were away. Check it and continue.',
  },
  consent: {
    titleTransfer: 'Let’s find the debts your loan will pay off',
    titleConnect: 'Ready to share your accounts?',
    titleIdentity: 'Ready to confirm who you are?',
    titleCards: 'Ready to connect your cards?',
    titleAccount: 'Ready to verify your account?',
    titleTransactions: (brand: string) => `Share your card purchases with ${brand}?`,
    leadIdentity: (brand: string) => `${brand} asked us to check that it’s you. This takes about a minute.`,
    leadAccount: (brand: string) => `${brand} asks you to show that an account is yours.`,
    whyTransfer: (brand: string) => `So your ${brand} loan can pay them. You choose the accounts and amounts.`,
    whyConnect: (brand: string) => `So ${brand} can show your debts and keep them up to date.`,
    /** The data that the customer can request, as a list. */
    shares: (brand: string, list: string) => `${brand} receives ${list}.`,
    /** The same, if the person shares nothing else. */
    sharesOnly: (brand: string, list: string) => `You share only ${list} with ${brand}.`,
    data: {
      accounts: 'your debts',
      balance: 'balances',
      statement: 'statements',
      payoff: 'payoffs',
      number: 'full account numbers',
      card: 'card pictures',
      usage: 'account use',
      purchases: 'purchases',
      payments: 'payments',
      credit_score: 'credit score',
      credit_profile: 'credit use',
      vehicles: 'vehicles',
      identity: 'identity with full Social Security number',
    },
    softCheck: (bureau: string) => `Soft check by ${bureau}.`,
    scoreKept: 'Your credit score doesn’t change.',
    details: 'Details',
    receives: (name: string) => `What ${name} receives`,
    aBureau: 'a credit bureau',
    bureau:
      'Details that identify you, to find your credit file. This soft inquiry doesn’t affect your credit score, and other lenders can’t see it.',
    service: (brand: string) =>
      `What you enter, to run these screens for ${brand}. It sends what each check needs to identity services, your lenders and card networks.`,
    whyIdentity: (brand: string) => `To keep others from acting in your name at ${brand}.`,
    whyTransactions: (brand: string) => `So ${brand} can show your spending and keep it up to date.`,
    whyTitle: 'Why we need this',
    nothingTitle: 'Nothing is paid now',
    nothing: (brand: string) => `Payments go out only after you confirm them and ${brand} releases the loan.`,
    documentsTitle: 'What you agree to',
    documentVersion: (version: string) => `Version ${version}`,
    documentPrint: 'Save or print these documents',
    /** Shown if the documents are translated; otherwise empty. */
    documentsIn: '',
    translation: 'Translation',
    original: 'English text',
    documentLoading: 'Loading the text…',
    withdraw: (brand: string) => `You can stop sharing at any time through ${brand}.`,
    /** The statement above the button. It quotes the button's label. */
    agree: (count: number) =>
      `By tapping “Agree and continue”, you agree to the ${count === 1 ? 'document' : `${count} documents`}.`,
    /** The same statement, for a person who agreed to some of the documents in an earlier session. */
    agreeNew: (count: number) =>
      `By tapping “Agree and continue”, you agree to the ${count === 1 ? 'new document' : `${count} new documents`}.`,
    carriedTitle: 'What you already agreed to',
    carried: (date: string) => `Agreed to on ${date}`,
    newTitle: 'What’s new',
    read: 'Read the documents',
    action: 'Agree and continue',
  },
  documents: {
    esign: 'Electronic records and signatures',
    credit_report: 'Permission for a soft credit check',
    account_data: 'Sharing your account information',
    transactions: 'Sharing your card purchases',
    future_accounts: 'Accounts that you open later',
    text_messages: 'Text messages',
    payments: 'Payments you authorize',
    privacy: 'Privacy notice',
    other: 'Document',
  },
}

type Loosen<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { [K in keyof T]: Loosen<T[K]> }
export type FirstWords = Loosen<typeof en>
export type RestWords = Loosen<typeof rest>
/** The type of a catalog: the text that every language must provide. */
export type Words = FirstWords & RestWords
