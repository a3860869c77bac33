/**
 * A view for every screen and for every state that it can be in, for the gallery, the fake service and the tests. The
 * clock stands at {@link NOW}; nobody here exists.
 */
import { type Terms } from '@causeway/contract/allocations';
import type { AccountView, SessionView, Step, StepData, ViewOf } from '@causeway/contract/session';
export declare const NOW: number;
/** A whole view around a step's data. */
export declare function view<S extends Step>(step: S, data: StepData[S], over?: Partial<ViewOf<S>>): ViewOf<S>;
export declare const account: (over: Partial<AccountView>) => AccountView;
export declare const chase: AccountView;
export declare const capital: AccountView;
export declare const upstart: AccountView;
export declare const student: AccountView;
export declare const amex: AccountView;
export declare const terms: Terms;
/** Every picture: `screen` then `state`; the first state of a screen is its plain one. */
export declare const gallery: Record<Step, Record<string, SessionView>>;
