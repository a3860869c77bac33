/**
 * The key in the tab's session storage under which a hosted page stores the length of the tab's history while the person is
 * on the provider's page in the same tab. The page at which they arrive afterward goes back to that entry.
 */
export const LINKING_KEY = 'causeway-linking'
