/** Returns the input that a person sends to continue, or null on a waiting screen or the last screen. */
export function answer({ step, data }) {
  switch (step) {
    case 'consent':
      return { action: 'accept', documents: data.documents, locale: 'en' }
    case 'phone':
      return { action: 'send' }
    case 'code':
      return { action: 'verify', code: '123456' }
    case 'selection':
      return {
        action: 'select',
        accounts: data.accounts.filter(each => each.status !== 'ineligible').map(({ id }) => id),
      }
    case 'number':
      return { action: 'submit', number: `411111111111${data.account.mask}` }
    case 'allocation':
      return { action: 'review', allocations: data.suggestion }
    case 'review':
      return { action: 'confirm' }
    default:
      return null
  }
}
