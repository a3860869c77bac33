/** The team of audit rows that concern no team: those of the operator. */
export const OPERATOR = 'team_operator'
