/** The settings of a provider. Each is an environment variable. */

/** Describes one environment variable, and reads its text. */
export interface Setting<Value> {
  /** The variable's content, for the documentation and for messages. */
  what: string
  /** The description of a valid value, to follow `must be` in a message. */
  mustBe: string
  /** True if the value must never be shown. */
  isSecret: boolean
  /** The text that is used if the variable is not set. Without it, the variable is required. */
  fallback?: string
  /** Returns undefined for invalid text. The caller limits the text to {@link MAX_SETTING_LENGTH}. */
  read(text: string): Value | undefined
}

export type Settings = Readonly<Record<string, Setting<unknown>>>
export type SettingValues<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer V> ? V : never
}

/** The maximum length of a variable, in UTF-16 units. */
const MAX_SETTING_LENGTH = 4_096

interface TextRule {
  what: string
  /** The pattern of a valid value. Must take time proportional to its input. */
  pattern: RegExp
  mustBe: string
  fallback?: string
}

const textSetting = ({ what, pattern, mustBe, fallback }: TextRule, isSecret: boolean): Setting<string> => ({
  what,
  mustBe,
  isSecret,
  ...(fallback !== undefined && { fallback }),
  read: text => (pattern.test(text) ? text : undefined),
})

/** A value that is never shown, such as an API key. */
export const secret = (rule: TextRule): Setting<string> => textSetting(rule, true)
/** A value that may be shown, such as an account's id. */
export const text = (rule: TextRule): Setting<string> => textSetting(rule, false)

/** One of several words. */
export const choice = <const Word extends string>(
  what: string,
  words: readonly Word[],
  fallback?: Word,
): Setting<Word> => ({
  what,
  mustBe: words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
  isSecret: false,
  ...(fallback !== undefined && { fallback }),
  read: given => words.find(word => word === given),
})

/** A whole number within limits. */
export const wholeNumber = (what: string, min: number, max: number, fallback: number): Setting<number> => ({
  what,
  mustBe: `a whole number from ${min} to ${max}`,
  isSecret: false,
  fallback: String(fallback),
  read: given => (/^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max ? Number(given) : undefined),
})

/** The base address of an API, without a slash at its end. Plain HTTP is accepted for a loopback host only. */
export const address = (what: string, fallback: string): Setting<string> => ({
  what,
  mustBe: 'a URL such as https://api.example.com (http only for this machine)',
  isSecret: false,
  fallback,
  read(given) {
    if (!URL.canParse(given)) return undefined
    const { protocol, hostname, username, search, hash, href } = new URL(given)
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
    return isSafe && !username && !search && !hash ? href.replace(/\/$/, '') : undefined
  },
})

/** Returns true for a host name of this machine. */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)

/** A variable that is missing or invalid. The message names the variable and what it must be, and never its value. */
export interface SettingFault {
  variable: string
  message: string
}

/** Reads a provider's settings. @returns the values, or every fault */
export function readSettings<S extends Settings>(
  settings: S,
  env: Readonly<Record<string, string | undefined>>,
): { values: SettingValues<S>; faults?: never } | { values?: never; faults: SettingFault[] } {
  const faults: SettingFault[] = []
  const values: Record<string, unknown> = {}
  for (const [variable, setting] of Object.entries(settings)) {
    const given = env[variable] || setting.fallback
    if (given === undefined) {
      faults.push({ variable, message: `${variable} is required: ${setting.what}. It must be ${setting.mustBe}.` })
      continue
    }
    const value = given.length > MAX_SETTING_LENGTH ? undefined : setting.read(given)
    if (value === undefined) faults.push({ variable, message: `${variable} must be ${setting.mustBe}.` })
    else values[variable] = value
  }
  return faults.length > 0 ? { faults } : { values: values as SettingValues<S> }
}
