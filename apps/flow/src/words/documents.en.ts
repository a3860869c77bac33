/** The texts behind consent, in English, one paragraph an entry. Kept apart: they are loaded when someone opens one. */

/** Paragraphs of a document, for the name of the customer. */
export type LegalText = (brand: string) => string[]

export const documents: Record<string, LegalText> = {
  esign: () => [
    'You agree to get the records of this session electronically: these documents, your choices, and the confirmation at the end. You need this device, a current browser and an internet connection.',
    'You can save or print a copy at the end, ask for a paper copy, or withdraw this agreement. Withdrawing doesn’t undo what was done before.',
  ],
  credit_report: brand => [
    `You permit ${brand} and its service provider to get your credit file once from a consumer reporting agency, and to look at it again while you stay connected, to find the accounts in your name.`,
    'This is a soft inquiry. It doesn’t affect your credit score, and other lenders can’t see it.',
  ],
  account_data: brand => [
    `For the accounts found in your name, ${brand} receives: the lender’s name, the kind of account, its last digits, balance, rate, payment dates and status.`,
    `It may use this to offer and service its products to you, and for nothing else. The permission lasts until you withdraw it, at ${brand}, at any time. After that no new information is shared.`,
  ],
  transactions: brand => [
    `For the cards that you choose, ${brand} receives each purchase, credit and refund from now on: the merchant, the date, the amount and the status. What was bought before isn’t shared.`,
    `The permission lasts until you withdraw it, at ${brand}, at any time.`,
  ],
  text_messages: () => [
    'We send one text message with a code each time you ask for one. Message and data rates may apply. Reply HELP for help and STOP to opt out. The number isn’t used for advertising.',
  ],
  payments: brand => [
    `If you confirm payments at the end, you authorize ${brand} to send the amounts shown to the accounts shown, once, when it releases your loan. You can change or cancel them until then.`,
    'A payment usually arrives in one to three business days. Interest or new charges can leave a small balance. Keep making your usual payments until the payment shows on your account.',
  ],
  privacy: brand => [
    `What you type is encrypted and goes to ${brand}’s service provider, which uses it to confirm who you are and to find your accounts. It isn’t sold.`,
    `You can ask ${brand} for a copy of it or to have it erased.`,
  ],
  other: brand => [`Ask ${brand} for the text of this document.`],
}
