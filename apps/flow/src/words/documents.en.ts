/**
 * The full consent documents in English, one entry per paragraph. They are in a separate file, which loads when the
 * person opens a document.
 */
import type { DocumentId, Recipients, SharedData } from '@causeway/contract/session'

/**
 * Returns a document's paragraphs, with the names of the customer and of the other recipients filled in. Versions from
 * 2026-11-29 on name only the data that the person is asked to share.
 */
export type LegalText = (brand: string, recipients: Recipients, shares: readonly SharedData[]) => string[]

/** Returns the phrases for the data that a document names, in the order of the phrases. */
export const phrasesOf = (
  phrases: Readonly<Partial<Record<SharedData, string>>>,
  shares: readonly SharedData[],
): string[] => Object.entries(phrases).flatMap(([kind, phrase]) => (shares.includes(kind as SharedData) ? phrase : []))

const list = new Intl.ListFormat('en')

/** Data about an account. */
const ofAccount = {
  balance: 'its balance',
  statement: 'its limit, rate, payment dates, history and status',
  payoff: 'its payoff amount',
  number: 'its full account or card number and what else is needed to pay it or to pay with it',
  card: 'its brand and picture',
  usage: 'figures about how you use it',
  purchases: 'each purchase, once updates have started',
  payments: 'the payments that are sent to it',
}
/** Data in a credit file. */
const ofFile = {
  credit_score: 'your credit score',
  credit_profile: 'figures about how you use credit',
  vehicles: 'your vehicles',
}

/** Translations by document and version. */
export type Translations = Partial<Record<string, Record<string, LegalText>>>

const before = '2026-11-01'
const middle = '2026-11-21'
const later = '2026-11-24'
const now = '2026-11-26'
const limited = '2026-11-29'
const linked = '2026-11-30'

/**
 * The text of each document, by version. Accepted terms never change: a copy shows the text of the version that was
 * accepted. To change a document, add a version here and in the contract.
 */
const texts: Record<DocumentId, Record<string, LegalText>> = {
  esign: {
    [now]: brand => [
      'You agree to get the records of this session electronically: these documents, your choices, and the confirmation at the end. You need this device, a current browser and an internet connection.',
      `You can save or print these documents before you agree, and a copy of everything at the end. You can ask ${brand} for a paper copy. To withdraw this agreement, tell ${brand}. Withdrawing doesn’t undo what was done before.`,
    ],
    [middle]: brand => [
      'You agree to get the records of this session electronically: these documents, your choices, and the confirmation at the end. You need this device, a current browser and an internet connection.',
      `You can save or print these documents before you agree, and a copy of all of it at the end. You can ask ${brand} for a paper copy, or tell it that you withdraw this agreement. Withdrawing doesn’t undo what was done before.`,
    ],
    [before]: () => [
      'You agree to get the records of this session electronically: these documents, your choices, and the confirmation at the end. You need this device, a current browser and an internet connection.',
      'You can save or print a copy at the end, ask for a paper copy, or withdraw this agreement. Withdrawing doesn’t undo what was done before.',
    ],
  },
  credit_report: {
    [limited]: (brand, { service, bureau }, shares) => [
      `You instruct ${brand} and ${service}, which runs these screens for ${brand}, to request information from your credit file at ${bureau ? `${bureau}, a credit bureau` : 'a credit bureau'} (a consumer reporting agency). ${bureau ?? 'The bureau'} receives details that identify you.`,
      `In this session, ${service} requests a list of the accounts in your name. If it already requested a list for ${brand} in the last 30 days, it uses that one. Later, until you withdraw your permission, ${brand} can request the same information from your file again, once or regularly, such as every month. Accounts that you open later are shared only after you choose them or agree to share them.`,
      `${brand} can receive from the file: ${list.format([
        'the accounts in it that you share',
        ...phrasesOf(ofFile, shares),
        ...(shares.includes('identity') ? ['your personal details, including your full Social Security number'] : []),
      ])}. It receives this information, not a copy of the report.`,
      'Each request is a soft inquiry. It doesn’t affect your credit score, and other lenders can’t see it.',
    ],
    [now]: (brand, { service, bureau }) => [
      `You instruct ${brand} and ${service}, which runs these screens for ${brand}, to request information from your credit file at ${bureau ? `${bureau}, a credit bureau` : 'a credit bureau'} (a consumer reporting agency). ${bureau ?? 'The bureau'} receives details that identify you.`,
      `In this session, ${service} requests a list of the accounts in your name. If it already requested a list for ${brand} in the last 30 days, it uses that one. Later, until you withdraw your permission, ${brand} can request information from your file again: your accounts, your credit score, figures about how you use credit, and your vehicles. It can request this once or regularly, such as every month. Accounts that you open later are shared only after you choose them or agree to share them.`,
      `${brand} can receive what it requests from the file: all accounts in it, including those that you don’t choose here, your credit score, figures about how you use credit, your vehicles, and your personal details, including your full Social Security number. It receives this information, not a copy of the report.`,
      'Each request is a soft inquiry. It doesn’t affect your credit score, and other lenders can’t see it.',
    ],
    [later]: brand => [
      `You instruct ${brand} and the Causeway service, which runs these screens for ${brand}, to request information from your credit file at a credit bureau (a consumer reporting agency). The bureau receives details that identify you.`,
      `In this session, the Causeway service requests a list of the accounts in your name. If it already requested a list for ${brand} in the last 30 days, it uses that one. Later, until you withdraw your permission, ${brand} can request information from your file again: your accounts, your credit score, figures about how you use credit, and your vehicles. It can request this once or regularly, such as every month. Accounts that you open later are shared only after you choose them or agree to share them.`,
      `${brand} can receive what it requests from the file: all accounts in it, including those that you don’t choose here, your credit score, figures about how you use credit, your vehicles, and your personal details, including your full Social Security number. It receives this information, not a copy of the report.`,
      'Each request is a soft inquiry. It doesn’t affect your credit score, and other lenders can’t see it.',
    ],
    [middle]: brand => [
      `You permit ${brand} and its service provider to get your credit file once from a consumer reporting agency, and to look at it again while you stay connected, to find the accounts in your name.`,
      `${brand} can receive what it asks for of that file: the accounts in it, your credit score, figures about how you use credit, your vehicles, and your personal details, your full Social Security number among them.`,
      'This is a soft inquiry. It doesn’t affect your credit score, and other lenders can’t see it.',
    ],
    [before]: brand => [
      `You permit ${brand} and its service provider to get your credit file once from a consumer reporting agency, and to look at it again while you stay connected, to find the accounts in your name.`,
      'This is a soft inquiry. It doesn’t affect your credit score, and other lenders can’t see it.',
    ],
  },
  account_data: {
    [linked]: (brand, recipients, shares) => {
      const [data, sources, purpose] = textOf('account_data', limited)(brand, recipients, shares)
      const { service, aggregator, network } = recipients
      const other = network ? `${network}, a separate company` : 'a separate company'
      const others =
        network === undefined
          ? []
          : [
              `To find your accounts, to read them and to pay them, ${service} sends details that identify you and the account to ${other} with its own privacy policy. Withdrawing this permission doesn’t erase what that company already has.`,
            ]
      if (aggregator === undefined) return [data!, sources!, ...others, purpose!]
      return [
        data!,
        `If you connect a lender, you sign in to it on a page of ${aggregator ?? 'another company'}. ${service} sends ${aggregator ?? 'that company'} your name, and receives your accounts there, what your lender knows about them, and whether they are in your name. It receives changes until you disconnect the lender or withdraw your permission. Neither ${service} nor ${brand} receives your password.`,
        sources!,
        ...others,
        purpose!,
      ]
    },
    [limited]: (brand, { service }, shares) => [
      `For the accounts found in your name that you share here, and for those that you verify here, ${brand} can receive: ${list.format(['the lender’s name', 'the type of account', ...(shares.includes('number') ? [] : ['its last digits']), ...phrasesOf(ofAccount, shares)])}. Where you choose accounts, the screen says whether ${brand} can also see the others. ${brand} can request this again until you withdraw your permission.`,
      `To get this information and to check what you enter, ${service}, which runs these screens for ${brand}, sends details that identify you and the account to your lenders, card networks and their service providers.`,
      `${brand} may use this to offer and service its products to you, and for nothing else. You can withdraw your permission at ${brand} at any time. After that, no new information is shared.`,
    ],
    [now]: (brand, { service }) => [
      `For the accounts found in your name, including those that you don’t choose here, and for those that you verify here, ${brand} can receive what it requests: the lender’s name, the type of account, its full account or card number and what else is needed to pay it or to pay with it, its balance, limit, rate, payment dates, history and status. ${brand} can request this again until you withdraw your permission.`,
      `To get this information and to check what you enter, ${service}, which runs these screens for ${brand}, sends details that identify you and the account to your lenders, card networks and their service providers.`,
      `${brand} may use this to offer and service its products to you, and for nothing else. You can withdraw your permission at ${brand} at any time. After that, no new information is shared.`,
    ],
    [later]: brand => [
      `For the accounts found in your name, including those that you don’t choose here, and for those that you verify here, ${brand} can receive what it requests: the lender’s name, the type of account, its full account or card number and what else is needed to pay it or to pay with it, its balance, limit, rate, payment dates, history and status. ${brand} can request this again until you withdraw your permission.`,
      `To get this information and to check what you enter, the Causeway service, which runs these screens for ${brand}, sends details that identify you and the account to your lenders, card networks and their service providers.`,
      `${brand} may use this to offer and service its products to you, and for nothing else. You can withdraw your permission at ${brand} at any time. After that, no new information is shared.`,
    ],
    [middle]: brand => [
      `For the accounts found in your name, and for those that you verify here, ${brand} can receive what it asks for: the lender’s name, the kind of account, its full account or card number and what else is needed to pay it or with it, its balance, limit, rate, payment dates, history and status. ${brand} can ask again while the permission lasts.`,
      `It may use this to offer and service its products to you, and for nothing else. The permission lasts until you withdraw it, at ${brand}, at any time. After that no new information is shared.`,
    ],
    [before]: brand => [
      `For the accounts found in your name, ${brand} receives: the lender’s name, the kind of account, its last digits, balance, rate, payment dates and status.`,
      `It may use this to offer and service its products to you, and for nothing else. The permission lasts until you withdraw it, at ${brand}, at any time. After that no new information is shared.`,
    ],
  },
  transactions: {
    [now]: brand => [
      `For the cards that you choose, ${brand} receives each purchase, credit and refund from now on: the merchant, the date, the amount and the status. Earlier purchases aren’t shared.`,
      `You can withdraw your permission at ${brand} at any time.`,
    ],
    [before]: brand => [
      `For the cards that you choose, ${brand} receives each purchase, credit and refund from now on: the merchant, the date, the amount and the status. What was bought before isn’t shared.`,
      `The permission lasts until you withdraw it, at ${brand}, at any time.`,
    ],
  },
  future_accounts: {
    [now]: brand => [
      'You checked the box to share accounts that you open later, too.',
      `New cards and loans in your name are shared with ${brand} as they appear, until you withdraw your permission there.`,
    ],
    [before]: brand => [
      'You ticked that accounts which you open later are shared, too.',
      `New cards and loans in your name are then shared with ${brand} as they appear, until you withdraw your permission there.`,
    ],
  },
  text_messages: {
    [limited]: brand => [
      `If ${brand} gave us your phone number, we text you a code as soon as you agree. Otherwise, and whenever you ask for another code, we send one text message. Message and data rates may apply. Reply HELP for help and STOP to opt out. The number isn’t used for advertising.`,
    ],
    [before]: () => [
      'We send one text message with a code each time you ask for one. Message and data rates may apply. Reply HELP for help and STOP to opt out. The number isn’t used for advertising.',
    ],
  },
  payments: {
    [now]: brand => [
      `If you confirm payments at the end, you authorize ${brand} to send the amounts shown to the accounts shown, once, when it releases your loan. Until then, you can come back and change the amounts. To cancel all of them, tell ${brand} before it releases the loan.`,
      'A payment usually arrives in one to three business days. Interest or new charges can leave a small balance. Keep making your usual payments until the payment shows on your account.',
    ],
    [middle]: brand => [
      `If you confirm payments at the end, you authorize ${brand} to send the amounts shown to the accounts shown, once, when it releases your loan. Until then you can come back and change the amounts. To call all of them off, tell ${brand} before it releases the loan.`,
      'A payment usually arrives in one to three business days. Interest or new charges can leave a small balance. Keep making your usual payments until the payment shows on your account.',
    ],
    [before]: brand => [
      `If you confirm payments at the end, you authorize ${brand} to send the amounts shown to the accounts shown, once, when it releases your loan. You can change or cancel them until then.`,
      'A payment usually arrives in one to three business days. Interest or new charges can leave a small balance. Keep making your usual payments until the payment shows on your account.',
    ],
  },
  privacy: {
    [linked]: (brand, recipients, shares) => {
      const [entered, checks, ...rest] = textOf('privacy', limited)(brand, recipients, shares)
      const { service, aggregator, network } = recipients
      const others =
        network === undefined
          ? []
          : [
              `To confirm who you are and to find your accounts, ${service} also sends what you enter to ${network ?? 'another company'}.`,
            ]
      if (aggregator === undefined) return [entered!, checks!, ...others, ...rest]
      const company = aggregator ?? 'the company on whose page you connect your lenders'
      return [
        entered!,
        checks!,
        `To find your accounts, ${service} also sends your name to ${company}.`,
        ...others,
        ...rest,
      ]
    },
    [limited]: (brand, { service, bureau }, shares) => [
      `What you enter is encrypted and goes to ${service}, which runs these screens for ${brand} and uses it to confirm who you are and to find your accounts. It isn’t sold.`,
      `To check what you enter, ${service} sends what each check needs to text message services, identity services, ${bureau === undefined ? '' : `credit bureaus${bureau ? ` such as ${bureau}` : ''}, `}your lenders and card networks.`,
      shares.includes('identity')
        ? `${brand} can receive what it requests about you: your name, addresses, phone number, date of birth and full Social Security number, as you entered them or as ${bureau === undefined ? '' : 'a credit bureau or '}an identity service has them on file.`
        : `${brand} can receive your name, address, phone number and date of birth, as you entered them.`,
      `You can ask ${brand} for a copy of this information or to have it erased.`,
    ],
    [now]: (brand, { service, bureau }) => [
      `What you enter is encrypted and goes to ${service}, which runs these screens for ${brand} and uses it to confirm who you are and to find your accounts. It isn’t sold.`,
      `To check what you enter, ${service} sends what each check needs to text message services, identity services, ${bureau === undefined ? '' : `credit bureaus${bureau ? ` such as ${bureau}` : ''}, `}your lenders and card networks.`,
      `${brand} can receive what it requests about you: your name, addresses, phone number, date of birth and full Social Security number, as you entered them or as ${bureau === undefined ? '' : 'a credit bureau or '}an identity service has them on file.`,
      `You can ask ${brand} for a copy of it or to have it erased.`,
    ],
    [later]: brand => [
      `What you enter is encrypted and goes to the Causeway service, which runs these screens for ${brand} and uses it to confirm who you are and to find your accounts. It isn’t sold.`,
      'To check what you enter, the Causeway service sends what each check needs to text message services, identity services, credit bureaus, your lenders and card networks.',
      `${brand} can receive what it requests about you: your name, addresses, phone number, date of birth and full Social Security number, as you entered them or as a credit bureau or an identity service has them on file.`,
      `You can ask ${brand} for a copy of it or to have it erased.`,
    ],
    [middle]: brand => [
      `What you type is encrypted and goes to ${brand}’s service provider, which uses it to confirm who you are and to find your accounts. It isn’t sold.`,
      `${brand} can receive what it asks for about you: your name, addresses, phone number, date of birth and full Social Security number, as you gave them or as they are on file.`,
      `You can ask ${brand} for a copy of it or to have it erased.`,
    ],
    [before]: brand => [
      `What you type is encrypted and goes to ${brand}’s service provider, which uses it to confirm who you are and to find your accounts. It isn’t sold.`,
      `You can ask ${brand} for a copy of it or to have it erased.`,
    ],
  },
}

const unknown: LegalText = brand => [`Ask ${brand} for the text of this document.`]

/** Returns the text of one version of a document. */
export function textOf(id: string, version: string): LegalText {
  const versions = Object.hasOwn(texts, id) ? texts[id as DocumentId] : {}
  return (Object.hasOwn(versions, version) && versions[version]) || unknown
}
