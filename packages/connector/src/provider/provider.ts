/**
 * A provider: a company, such as a bank or a carrier, behind the ports. One declaration states its settings, the methods
 * that it serves, how the outcome of each act is found, its webhooks and its checks.
 */
import type { ActPath, AnswerOf, CallOf, MethodPath } from './paths.js'
import type { Settings, SettingValues } from './settings.js'

/** A request to the provider's API. */
export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The whole URL. Its host must be one of the provider's hosts. */
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string
  /**
   * Statuses to return to the caller that would otherwise throw, such as 429 from a provider that uses it for a
   * business answer.
   */
  returns?: readonly number[]
}

export interface ProviderResponse {
  status: number
  headers: Headers
  /** The body, or undefined if it is empty. Every member is within the limits of an answer. */
  json: unknown
}

/** The number of days after which a row is deleted: 90 by default, or null to keep it. */
interface RowLifetime {
  days?: number | null
}

/**
 * Rows that a provider keeps for one team. Values are encrypted with the team's key. Kinds and ids are not, so they must
 * not contain personal data.
 */
export interface ProviderStore {
  /** Returns the stored value, or undefined. */
  get(kind: string, id: string): Promise<unknown>
  /** Stores a value, in place of an earlier one. */
  put(kind: string, id: string, value: unknown, lifetime?: RowLifetime): Promise<void>
  /** Stores a value unless there is one. Returns the value that is stored, whether or not this call stored it. */
  claim(kind: string, id: string, value: unknown, lifetime?: RowLifetime): Promise<unknown>
  delete(kind: string, id: string): Promise<void>
}

/** The fields that a provider may log: letters, digits, and `_`, `.`, `:` and `-`, at most 100 of them. */
export interface ProviderLogFields {
  /** The id of the call's resource. */
  request_id?: string
  /** The provider's id of the object. */
  external_id?: string
  /** The provider's own status of the object. */
  status?: string
  /** The provider's own code. */
  code?: string
}

/** The services that a provider may use. A provider reaches nothing else: no database, and no other host. */
export interface ProviderContext<S extends Settings = Settings> {
  settings: SettingValues<S>
  /**
   * Sends a request, with limits on time and size, and without following redirects. Returns statuses from 200 to 299,
   * and 400 to 499 except 401, 403, 408 and 429. Throws {@link OutsideError} for the others: after 401, 403 and 429, nothing
   * was done; after a timeout, a broken connection, an unreadable body, 408 and 5xx, the outcome is unknown.
   */
  fetch(request: ProviderRequest): Promise<ProviderResponse>
  store: ProviderStore
  /** The real time, in epoch milliseconds. */
  now(): number
  /** Logs an event with ids and codes. Other text is not logged, because it may contain personal data. */
  log(level: 'info' | 'warn' | 'error', event: string, fields?: ProviderLogFields): void
  /**
   * Connects the provider's id of an object with the resource that it belongs to, so that a webhook or a line of the
   * provider's statement finds the resource.
   */
  link(externalId: string, resource: LinkedResource): Promise<void>
  /** Returns a keyed hash of a value for this team. Equal values have equal hashes. */
  fingerprint(value: string): string
}

export interface LinkedResource {
  /** `link` is a page at which a person links institutions. */
  kind: 'payment' | 'reversal' | 'session' | 'account' | 'link'
  id: string
}

type Handler<S extends Settings, Path extends MethodPath> = (
  context: ProviderContext<S>,
  call: CallOf<Path>,
) => Promise<AnswerOf<Path>>

/** `known: false`: the provider confirms that the act did not arrive, so it can be sent again. */
export type Outcome<Answer> = { known: true; answer: Answer } | { known: false }

/** Acts that move money. A second one would pay twice. */
type MoneyAct = Extract<ActPath, `rail/${string}` | 'network/deposit'>

interface OutcomeLookup<S extends Settings, Path extends ActPath> {
  /** Finds the act at the provider, after a call whose answer was lost. `call` is the act's own call. */
  find(context: ProviderContext<S>, call: CallOf<Path>): Promise<Outcome<AnswerOf<Path>>>
  /**
   * `never`: the provider performs the act once, whatever arrives. `harmless`: a lost call may be performed twice, for
   * example texted twice. An act that moves money must be `never`.
   */
  duplicates: Path extends MoneyAct ? 'never' : 'never' | 'harmless'
}

/** A webhook from the provider, before anything in it is trusted. */
export interface Hook {
  headers: Headers
  /** The URL that the provider called, with its query. */
  url: string
  body: Buffer
}

/** The content of a verified webhook: the objects that changed. The service then reads their state. */
export interface HookReport {
  /** The provider's id of the webhook. The service processes each id once. */
  id: string
  /** The provider's ids of the objects that changed. */
  changed: readonly string[]
}

/** One finding of the provider's checks, for `pnpm admin doctor`. */
export interface ProviderFinding {
  level: 'ok' | 'warning' | 'problem'
  /** The result and, unless the level is `ok`, the way to fix it. */
  message: string
}

/** The evidence that a provider works. Only a run against the provider's own systems changes it. */
export interface Proof {
  level: 'emulator' | 'sandbox' | 'live'
  /** The day of the run, as `YYYY-MM-DD`. */
  on: string
}

/** A movement of money on the provider's statement. */
export interface StatementLine {
  /** The provider's id of the line, which never changes. */
  id: string
  /** In cents. Positive for money in, negative for money out. */
  amount: number
  /** In epoch milliseconds. */
  at: number
  /** The provider's word for the kind of movement. */
  category: string
  /** The provider's id of the object that moved the money, as in {@link ProviderContext.link}. Null if there is none. */
  transfer: string | null
}

/** Part of a statement. The days are inclusive, in UTC, as `YYYY-MM-DD`. */
export interface StatementQuery {
  from: string
  to: string
  /** The `cursor` of the previous page, or null for the first page. */
  cursor: string | null
}

/** @template Served the paths of the methods that the provider serves */
export interface ProviderDeclaration<S extends Settings, Served extends MethodPath> {
  /** The name in `PROVIDERS`, and in the path of its webhooks. */
  name: string
  /** The company's name, as operators know it. */
  title: string
  settings: S
  /** The base addresses that requests may go to. */
  hosts(settings: SettingValues<S>): readonly string[]
  /** Returns the system that these settings reach: the provider's test system or its live one. `any`: the provider has one system. */
  environment(settings: SettingValues<S>): 'sandbox' | 'production' | 'any'
  provides: { readonly [Path in Served]: Handler<S, Path> }
  outcomes: { readonly [Path in Served & ActPath]: OutcomeLookup<S, Path> }
  hooks?: {
    /** Returns false for a webhook that the provider did not sign. Runs before the body is parsed. */
    verify(
      hook: Hook,
      settings: SettingValues<S>,
      now: number,
      /** Reaches the provider's API, which may have the keys that signatures are verified with. */
      fetch: ProviderContext['fetch'],
    ): Promise<boolean>
    /** Returns null for a webhook that reports nothing. */
    read(hook: Hook): HookReport | null
  }
  /** Lists the movements on the team's accounts at the provider, to be compared with the ledger. */
  statement?(
    context: ProviderContext<S>,
    query: StatementQuery,
  ): Promise<{ lines: StatementLine[]; cursor: string | null }>
  /** Returns what the provider can do with these settings. Pure. */
  capabilities(settings: SettingValues<S>): Capabilities<NoInfer<Served>>
  /** Checks the settings against the provider. Nothing is created or changed there. */
  check(context: Pick<ProviderContext<S>, 'settings' | 'fetch' | 'now'>): AsyncIterable<ProviderFinding>
  proven: Proof
}

/** The abilities of a provider besides the methods that it declares. */
export interface Capabilities<Served extends MethodPath = MethodPath> {
  /** The declared methods that the settings turn off, so that the provider does not serve them. */
  without?: readonly Served[]
  /** Ways in which payments reach an account. */
  routes?: readonly ('ach' | 'check' | 'card_push')[]
  /**
   * `own`: the ids that matching returns are the provider's, so discovery must be the provider's too. `any`, the
   * default: discovery works with any stable id, and receives the id of the entity.
   */
  persons?: 'own' | 'any'
  /** `link`: people first link institutions, with `network/link`. `search`, the default: accounts are found without that. */
  discovery?: 'search' | 'link'
  /**
   * The name of the company that receives the details of people in order to find their accounts, as people know it. Null if
   * it is not named. Absent if the details go only to lenders, card networks, bureaus, and the company of `network/link`.
   */
  company?: string | null
}

/** Any provider. Its handlers take any context and call, because the caller has checked the call's question. */
export interface Provider
  extends Pick<
    // biome-ignore lint/suspicious/noExplicitAny: providers have different settings.
    ProviderDeclaration<any, MethodPath>,
    | 'name'
    | 'title'
    | 'settings'
    | 'hosts'
    | 'environment'
    | 'hooks'
    | 'statement'
    | 'capabilities'
    | 'check'
    | 'proven'
  > {
  provides: Readonly<Record<string, AnyHandler<unknown> | undefined>>
  outcomes: Readonly<Record<string, { find: AnyHandler<Outcome<unknown>>; duplicates: string } | undefined>>
}
// biome-ignore lint/suspicious/noExplicitAny: see Provider.
type AnyHandler<Answer> = (context: any, call: any) => Promise<Answer>

/** Declares a provider. The compiler requires an outcome lookup for each act that it serves. */
export const provider = <const S extends Settings, Served extends MethodPath>(
  declaration: ProviderDeclaration<S, Served>,
): ProviderDeclaration<S, Served> => declaration

/** Returns true if a provider with these settings serves the method. */
export const servesMethod = (
  { provides, capabilities }: Pick<Provider, 'provides' | 'capabilities'>,
  settings: SettingValues<Settings>,
  path: string,
): boolean => provides[path] !== undefined && !capabilities(settings).without?.some(each => each === path)
