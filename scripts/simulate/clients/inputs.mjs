/** The sandbox's account numbers and people. */
export const { achNumbers } = await import('../../../apps/api/dist/sandbox/tables/inputs.js')
export const { people } = await import('../../../apps/api/dist/sandbox/tables/people.js')
