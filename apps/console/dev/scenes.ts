/** Every page in every state. The first state listed for a page is its default. */
import type { Scene } from './mount.js'
import { approvalScenes } from './scenes/approvals.js'
import { connectionScenes } from './scenes/connections.js'
import { developerScenes } from './scenes/developers.js'
import { moneyScenes } from './scenes/money.js'
import { operationScenes } from './scenes/operations.js'
import { overviewScenes } from './scenes/overview.js'
import { peopleScenes } from './scenes/people.js'
import { sandboxScenes } from './scenes/sandbox.js'
import { sessionScenes } from './scenes/sessions.js'
import { shellScenes } from './scenes/shell.js'
import { userScenes } from './scenes/users.js'

export const scenes: Record<string, Record<string, Scene>> = {
  ...overviewScenes,
  ...moneyScenes,
  ...peopleScenes,
  ...sessionScenes,
  ...developerScenes,
  ...sandboxScenes,
  ...operationScenes,
  ...connectionScenes,
  ...approvalScenes,
  ...userScenes,
  ...shellScenes,
}
