/** What each screen asks. */
export const asks = {
  shareAccounts: 'Ready to share your accounts?',
  findAccounts: 'Ready to find the accounts your loan can pay?',
  phone: 'Can we text you a code?',
  newPhone: 'What’s your mobile number?',
  code: 'Enter the code we sent',
  details: 'Tell us about you',
  questions: 'Can you answer a few questions?',
  finding: 'Finding your accounts',
  which: 'Which accounts should the loan pay?',
  split: /^Split your .* loan$/,
  check: 'Check and confirm',
  confirmed: 'Your payments are confirmed',
  connected: /^Your accounts? (is|are) connected$/,
} as const
