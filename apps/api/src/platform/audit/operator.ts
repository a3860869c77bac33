/** The team id of audit entries that concern no team: those of the operator. */
export const OPERATOR = 'team_operator'
