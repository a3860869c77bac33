/** Dependencies that later modules implement. `main/app.ts` provides them. */
import type { AccountRow } from '../people/holders/account.js'
import type { EntityRow } from '../people/holders/entity.js'
import type { Scope } from '../platform/scope.js'

/** A person's rights over their own data. */
export interface OwnData {
  /**
   * Hides an account that the person does not share. The account's row must already be locked. Throws a ServiceError if
   * a payment that involves the account is in progress.
   */
  hideAccount(tx: Scope, row: AccountRow): Promise<void>
  /** Returns true if a payment that involves an account is in progress. */
  isInPayment(tx: Scope, id: string): Promise<boolean>
  /**
   * Withdraws all of a person's consent. The person's row must already be locked. Throws a ServiceError if the consent
   * can't be withdrawn.
   */
  withdrawEntity(tx: Scope, row: EntityRow): Promise<EntityRow>
  /** Returns all of the person's stored data that they are allowed to see. */
  export(scope: Scope, row: EntityRow): Promise<Record<string, unknown>>
}

declare module '../platform/scope.js' {
  interface Deps {
    readonly ownData: OwnData
  }
}
