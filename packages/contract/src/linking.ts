/**
 * The key in the tab's session storage under which a hosted page stores how to come back while the person is on the
 * provider's page in the same tab: JSON with the page's `path` and its history entry's `state`.
 */
export const LINKING_KEY = 'causeway-linking'
