/** The sandbox's people, by scenario. The full list is in docs/sandbox.md. */
export const phones = {
  mixed: '+15125550100',
  allPayable: '+15125550101',
  birthday: '+15125550102',
  birthdayAddressDigits: '+15125550103',
  questions: '+15125550104',
  noAccounts: '+15125550105',
  thinFile: '+15125550106',
  frozenFile: '+15125550107',
  numberRefused: '+15125550108',
  slow: '+15125550109',
  paymentReturns: '+15125550110',
  paymentRefused: '+15125550111',
  smallDebts: '+15125550112',
} as const
