import { documentVersions, type Recipients, type SessionView, type SharedData } from '@causeway/contract/session'
import { describe, expect, it } from 'vitest'
import { hostedWords } from '../hosted/words.js'
import { textOf } from './documents.en.js'
import { loadDocuments } from './documents.js'
import { en } from './en.js'
import { rest } from './en.rest.js'
import { catalogues, completeLanguage, english, loadLanguage } from './language.js'

type Tree = { [key: string]: string | ((...values: never[]) => string) | Tree }

/** Returns a catalog's entries, keyed by path, such as `consent.lead`. */
function leaves(tree: Tree, path = ''): Map<string, string | ((...values: unknown[]) => string)> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'object'
        ? [...leaves(value, `${path}${key}.`)]
        : [[`${path}${key}`, value as string | ((...values: unknown[]) => string)] as const],
    ),
  )
}

const english_ = leaves({ ...en, ...rest, hosted: hostedWords['en'] } as unknown as Tree)
/** Entries that are empty in English, or that may be the same in every language. */
const alike = new Set(['consent.documentsIn', 'phone.masked', 'selection.mask', 'selection.apr'])
/**
 * Unusual values, which the text is unlikely to contain by coincidence. The values are numbers because plural forms
 * depend on them.
 */
const values = [7, 9, 8]

/** For each value, returns true if the text contains it. */
const named = (sentence: (...given: unknown[]) => string) =>
  values.map(value => sentence(...values).includes(String(value)))

describe.each(Object.keys(catalogues).filter(locale => locale !== 'en'))('the texts in %s', locale => {
  const load = async () => {
    const { first, rest: later } = catalogues[locale]!
    return leaves({ ...(await first()), ...(await later()), hosted: hostedWords[locale] } as unknown as Tree)
  }

  it('are those of every key, and of no other', async () => {
    expect([...(await load()).keys()].sort()).toEqual([...english_.keys()].sort())
  })

  it('mention the same values as the English text', async () => {
    for (const [key, sentence] of await load()) {
      const original = english_.get(key)!
      expect(typeof sentence, key).toBe(typeof original)
      if (typeof sentence !== 'function' || typeof original !== 'function') continue
      expect(named(sentence), key).toEqual(named(original))
      for (const count of [0, 1, 2, 3, 11, 100]) expect(sentence(count, count, count), key).not.toContain('undefined')
    }
  })

  it('are translated, and none is empty', async () => {
    for (const [key, sentence] of await load()) {
      if (typeof sentence === 'string') expect(sentence.trim(), key).not.toBe('')
      if (!alike.has(key) && typeof sentence === 'string') expect(sentence, key).not.toBe(english_.get(key))
    }
  })
})

it('an Arabic time reads right to left, because its period of the day is an Arabic letter', async () => {
  const { words, time, date } = await completeLanguage(await loadLanguage(['ar']))
  const at = '2026-11-23T15:23:00.000Z'
  expect(time(at)).toMatch(/[صم]/)
  for (const text of [words.moment.today(time(at)), words.moment.later(date(at), time(at))])
    expect(text).not.toMatch(/\u2066[^\u2069]*[صم]/)
})

const recipients = {
  service: 'Harbor Data',
  bureau: 'Ninth Bureau',
  aggregator: 'Tenth Bank Link',
  network: 'Eleventh Network',
}
const unnamed = { ...recipients, bureau: null, aggregator: null, network: null }
const withoutBureau: Recipients = { service: 'Harbor Data' }
const everything: SharedData[] = [
  'accounts',
  'balance',
  'statement',
  'payoff',
  'number',
  'card',
  'usage',
  'purchases',
  'payments',
  'credit_score',
  'credit_profile',
  'vehicles',
  'identity',
]
/** The data that a session without a bureau can share. */
const withoutFile = everything.filter(kind => !['credit_score', 'credit_profile', 'vehicles'].includes(kind))
/** The part of a view that a document takes its names from. */
const view = (to: Recipients) => ({ brand: { name: 'Northwind' } as SessionView['brand'], recipients: to })

describe('the consent documents', () => {
  const all = Object.entries(documentVersions).flatMap(([id, versions]) => versions.map(version => [id, version]))

  it.each(all)('%s of %s has its own text, which no other version shares', (id, version) => {
    const said = (of: string) => textOf(id!, of)('Northwind', recipients, everything)
    expect(said(version!)).not.toEqual(said('no such version'))
    for (const other of documentVersions[id as keyof typeof documentVersions])
      if (other !== version) expect(said(other)).not.toEqual(said(version!))
  })

  it.each(['es', 'ar'].flatMap(locale => [recipients, unnamed, withoutBureau].map(to => ({ locale, to }))))(
    'that a screen presents are translated to $locale, next to the English text, with $to',
    async ({ locale, to }) => {
      const [own, english] = [await loadDocuments({ locale: `${locale}-US` }), await loadDocuments({ locale: 'en-US' })]
      for (const [id, versions] of Object.entries(documentVersions)) {
        const version = versions[0]
        const { translated, english: original } = own({ id, version, shares: everything }, view(to))
        expect([id, original]).toEqual([id, textOf(id, version)('Northwind', to, everything)])
        expect([id, translated?.length]).toEqual([id, original.length])
        for (const [index, paragraph] of translated!.entries()) {
          for (const name of [
            'Northwind',
            recipients.service,
            recipients.bureau,
            recipients.aggregator,
            recipients.network,
          ])
            expect([id, paragraph.includes(name)]).toEqual([id, original[index]!.includes(name)])
          expect(paragraph).not.toMatch(/Causeway|null|undefined/)
          // A left-to-right name must not reorder the Arabic text around it.
          if (locale === 'ar') expect(paragraph.replace(/[\u2066\u2068][^\u2069]*\u2069/g, '')).not.toMatch(/[a-z]/i)
        }
        expect(english({ id, version, shares: everything }, view(to)).translated).toBeNull()
      }
      expect(own({ id: 'esign', version: '2026-11-01', shares: [] }, view(to)).translated).toBeNull()
      expect((await catalogues[locale]!.first()).consent.documentsIn).not.toBe('')
    },
  )

  it('each have a name in every language', async () => {
    for (const { first } of Object.values(catalogues))
      for (const id of Object.keys(documentVersions)) expect((await first()).documents).toHaveProperty(id)
  })

  it.each(['credit_report', 'account_data', 'privacy'])('keep the accepted text of %s, which has a fixed name', id => {
    const said = textOf(id, '2026-11-24')('Northwind', recipients, everything).join(' ')
    expect(said).toContain('the Causeway service, which runs these screens for Northwind')
    expect(said).not.toMatch(/Harbor Data|Ninth Bureau/)
  })

  it('say whom to ask if the document is unknown', () => {
    expect(textOf('constructor', '2026-11-01')('Northwind', recipients, everything)).toEqual([
      'Ask Northwind for the text of this document.',
    ])
    expect(textOf('esign', 'toString')('Northwind', recipients, everything)).toEqual([
      'Ask Northwind for the text of this document.',
    ])
  })
})

/** Customers can request full numbers and the SSN, so no text may claim otherwise. */
describe('statements about who sees which data', () => {
  const denials: Record<string, RegExp> = {
    en: /(?:sees|receives|gets) only|can’t (?:read|see)|last digits|last four digits\.$/,
    es: /ve solo|recibe solo|no puede (?:ver|leer)|sus últimos dígitos/,
    ar: /لا يرى|لا يمكن لـ|أرقامه الأخيرة/,
  }

  it.each(Object.entries(denials))(
    'in %s never deny that the customer sees a number or the SSN',
    async (locale, denial) => {
      const { first, rest: later } = catalogues[locale]!
      const said = leaves({ ...(await first()), ...(await later()) } as unknown as Tree)
      const about = ['details.whySsn', 'number.why', 'card.why']
      for (const key of about) {
        const sentence = said.get(key)
        expect(typeof sentence === 'function' && sentence('Northwind'), key).not.toMatch(denial)
      }
    },
  )

  it('the documents name the bureau and the service, and say when the bureau is contacted', () => {
    const newest = (id: keyof typeof documentVersions, to: Recipients = recipients) =>
      textOf(id, documentVersions[id][0])('Northwind', to, everything).join(' ')
    for (const id of ['credit_report', 'privacy'] as const)
      for (const recipient of ['credit bureau', 'Ninth Bureau', 'Harbor Data, which runs these screens for Northwind'])
        expect(newest(id)).toContain(recipient)
    expect(newest('account_data')).toContain('Harbor Data, which runs these screens for Northwind')
    expect(newest('credit_report', unnamed)).toContain('at a credit bureau (a consumer reporting agency). The bureau')
    expect(newest('privacy', unnamed)).toContain('credit bureaus, your lenders')
    expect(newest('credit_report')).toContain('in the last 30 days')
    expect(newest('credit_report')).not.toMatch(/once from|look at it again/)
  })

  it('the documents name the company on whose page people sign in, only if there is one', () => {
    for (const id of ['account_data', 'privacy'] as const) {
      const [version, before] = documentVersions[id]
      const said = (to: Recipients, of: string = version) => textOf(id, of)('Northwind', to, everything)
      expect(said(recipients).join(' ')).toContain(`Harbor Data ${id === 'privacy' ? 'also ' : ''}sends`)
      expect(said(recipients).join(' ')).toContain('Tenth Bank Link')
      expect(said(unnamed).join(' ')).not.toMatch(/null|Tenth/)
      expect(said(withoutBureau)).toEqual(said(withoutBureau, before))
    }
  })

  it.each([
    ['en', /bureau|credit (?:report|file)/i],
    ['es', /buró|agencia|informe de crédito/i],
    ['ar', /مكتب|الائتماني/],
  ])('in %s, nothing names a bureau or a credit report if no bureau takes part', async (locale, words) => {
    const documents = await loadDocuments({ locale })
    for (const id of ['esign', 'account_data', 'text_messages', 'privacy'] as const) {
      const { translated, english } = documents(
        { id, version: documentVersions[id][0], shares: withoutFile },
        view(withoutBureau),
      )
      expect((translated ?? english).join(' ')).not.toMatch(words)
      expect(english.join(' ')).not.toMatch(/bureau/)
    }
    const { rest } = catalogues[locale]!
    const { details, blocked } = await rest()
    expect(details.whySsn('Northwind', true)).toMatch(words)
    expect(details.whySsn('Northwind', false)).not.toMatch(words)
    expect(blocked.noneFound).not.toMatch(words)
  })

  it.each([
    ['en', /Social Security|full|score|vehicles/],
    ['es', /Seguro Social|complet[oa]|puntaje de crédito y|vehículos/],
    ['ar', /ضمانك الاجتماعي|الكامل|مركباتك/],
  ])('in %s, a consent to share only balances names no other data', async (locale, words) => {
    const documents = await loadDocuments({ locale })
    for (const id of ['account_data', 'credit_report', 'privacy'] as const) {
      const document = { id, version: documentVersions[id][0], shares: ['accounts', 'balance'] as const }
      const { translated, english } = documents(document, view(recipients))
      expect((translated ?? english).slice(0, 3).join(' ')).not.toMatch(words)
      const all = documents({ ...document, shares: everything }, view(recipients))
      expect((all.translated ?? all.english).join(' ')).toMatch(words)
    }
  })

  it('the documents name the full numbers and the SSN', () => {
    const newest = (id: keyof typeof documentVersions) =>
      textOf(id, documentVersions[id][0])('Northwind', recipients, everything).join(' ')
    expect(newest('account_data')).toContain('full account or card number')
    expect(newest('account_data')).not.toContain('last digits')
    expect(newest('privacy')).toContain('full Social Security number')
    expect(newest('credit_report')).toContain('full Social Security number')
  })
})

describe('the statement above the button', () => {
  it.each(Object.keys(catalogues))('in %s quotes the button and counts the documents', async locale => {
    const { consent } = await catalogues[locale]!.first()
    for (const statement of [consent.agree, consent.agreeNew]) {
      for (const count of [1, 5]) expect(statement(count)).toContain(consent.action)
      expect(statement(5)).toContain('5')
      expect(statement(1)).not.toMatch(/documents|documentos|وعددها/)
    }
  })
})

it.each(Object.keys(catalogues))('the question about a number in %s quotes the button', async locale => {
  const { number } = (await catalogues[locale]!.rest()) as typeof rest
  expect(number.mask('0342')).toContain(number.action)
})

describe('the choice of language', () => {
  it('picks the first requested language that has a catalog', async () => {
    expect((await loadLanguage(['es-MX'])).locale).toBe('es-MX')
    expect((await loadLanguage([null, 'de', 'es'])).locale).toBe('es-US')
    expect(await loadLanguage(['de'])).toBe(english)
    expect(await loadLanguage(['constructor', null])).toBe(english)
  })

  it('formats money, dates and counts for the United States if no region is requested', async () => {
    expect((await completeLanguage(await loadLanguage(['es']))).money(128_760)).toBe('$1,287.60')
    expect((await completeLanguage(await loadLanguage(['en']))).money(128_760)).toBe('$1,287.60')
  })

  it('adds no second period to a sentence that ends with a time that has one', async () => {
    const now = new Date('2026-11-21T12:00:00Z')
    for (const locale of Object.keys(catalogues)) {
      const { words, moment } = await completeLanguage(await loadLanguage([locale]))
      const soon = moment('2026-11-21T13:00:00Z', now)
      expect(words.blocked.retryAt(soon)).toMatch(/[^.]\.?$/)
      expect(words.phone.tooManyCodes(soon)).toMatch(/[^.]\.?$/)
      expect(words.phone.tooManyFromNetwork(soon)).toMatch(/[^.]\.?$/)
      expect(words.deposits.tooMany(soon)).toMatch(/[^.]\.?$/)
      expect(soon).toContain(locale === 'ar' ? '،' : ',')
    }
  })

  it('lays out Arabic from right to left, with the same digits as masks and codes', async () => {
    const arabic = await completeLanguage(await loadLanguage(['ar-EG']))
    expect(arabic.dir).toBe('rtl')
    expect(arabic.money(128_760)).toMatch(/1,287\.60/)
    expect(arabic.date('2026-11-21T12:00:00Z')).toMatch(/2026/)
    expect(arabic.words.selection.action(2)).toContain('حسابين')
  })
})
