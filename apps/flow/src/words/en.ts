/**
 * The English texts of the shell and the first screen, with one key per sentence. Amounts, dates and names are already
 * formatted for the locale. The texts of the other screens are in `en.rest.ts`, which loads with the second screen.
 * Legal texts are in `documents.en.ts`, which loads when the person opens a document.
 */
import type { rest } from './en.rest.js'

export const en = {
  app: {
    title: (brand: string) => `Connect your accounts to ${brand}`,
    back: 'Back',
    close: 'Close',
    progress: 'Progress',
    progressSpoken: (percent: number) => `${percent}% done`,
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
    kept: 'What you entered is still here.',
    limited: 'Too many requests in a short time. Wait a moment, then try again.',
    limitedFor: (seconds: number) => `Too many requests in a short time. Try again in ${seconds} seconds.`,
    startTitle: 'We couldn’t open your session',
    startOffline: 'Your device is offline. Connect to the internet and try again.',
    startUnavailable: 'The connection failed. Nothing was lost. Try again in a moment.',
    overTitle: 'Your session has ended',
    overBody: 'We closed it to keep your details safe. Your progress is saved. Open it again to continue.',
    overAction: 'Open it again',
    overSpent: 'This link was used or has expired. Close this page and open it again where you started.',
    refusedTitle: 'This page can’t be opened here',
    refusedAlone: 'Open it from your lender’s website or app. It can’t be opened on its own.',
    refusedOrigin: 'This website isn’t approved to show this page. Don’t enter personal details here.',
    refusedConfig: 'This website isn’t set up to show this page. Let the website’s owner know.',
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
    lead: (brand: string) => `With your permission, we look up your accounts for ${brand}. It takes about two minutes.`,
    shareTitle: 'What you’ll share',
    share: (brand: string) =>
      `The cards and loans in your name (lender, number, balance, rate and status), and details about you that ${brand} asks for. You choose which accounts it uses. It never sees your passwords.`,
    whyTransfer: (brand: string) => `So your ${brand} loan can pay them. You choose the accounts and amounts.`,
    whyConnect: (brand: string) => `So ${brand} can show your debts and keep them up to date.`,
    shareIdentity: (brand: string) =>
      `Confirmation that it’s you, and details about you that ${brand} asks for, such as your Social Security number. No accounts are shared.`,
    shareAccount: (brand: string) =>
      `Confirmation that the account is yours, its number, and details about you that ${brand} asks for. It never sees your passwords.`,
    shareTransactions: (brand: string) =>
      `The cards you choose, their numbers, and your future purchases with them: store, date and amount. ${brand} never sees your passwords.`,
    whyIdentity: (brand: string) => `To keep others from acting in your name at ${brand}.`,
    whyTransactions: (brand: string) => `So ${brand} can show your spending and keep it up to date.`,
    whyTitle: 'Why we need this',
    scoreTitle: 'No effect on your credit score',
    score: 'We run a soft check. Only you can see it on your report.',
    nothingTitle: 'Nothing is paid now',
    nothing: (brand: string) => `Payments go out only after you confirm them and ${brand} releases the loan.`,
    documentsTitle: 'What you agree to',
    documentVersion: (version: string) => `Version ${version}`,
    documentPrint: 'Save or print these documents',
    /** Shown if the documents are not in the screen's language; otherwise empty. */
    documentsIn: '',
    documentLoading: 'Loading the text…',
    agree: 'By continuing, you agree to these documents. You can withdraw at any time.',
    action: 'Agree and continue',
    trust: (brand: string) => `Encrypted · Shared only with ${brand}`,
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
/** The type of a catalog: the texts that every language must provide. */
export type Words = FirstWords & RestWords
