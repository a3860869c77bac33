/** The team id in audit entries for operator actions that aren't specific to a team. */
export const OPERATOR = 'team_operator'

/** The actor of operator commands. */
export const OPERATOR_ACTOR = 'operator'
