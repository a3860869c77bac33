import { describe, expect, it } from 'vitest'
import { foldText, queriedWords, storedWords } from './name-words.js'

/** Returns true if a search for the query finds a person with these names. */
function finds(names: readonly string[], query: string): boolean {
  const stored = new Set(storedWords(names))
  return queriedWords(query).some(words => words.every(word => stored.has(word)))
}

describe('a search finds a name', () => {
  it.each<[string, string[], string[]]>([
    ['without accents', ['José', 'Muñoz'], ['jose munoz', 'MUÑOZ', 'jose\u0301', 'Jose']],
    ['with other accents', ['Jose', 'Munoz'], ['José Muñoz', 'munöz']],
    ['with any apostrophe', ['Siobhán', 'O’Brien'], ["O'Brien", 'obrien', 'OʼBrien', 'O´Brien', 'O Brien', '`o`brien']],
    ['stored with a plain apostrophe', ['Conor', "O'Neill"], ['O’Neill', 'oneill', 'O‘Neill', 'O＇Neill']],
    ['stored with a space', ['Conor', 'O Neill'], ["O'Neill", 'oneill']],
    ['with letters that do not decompose', ['Łukasz', 'Żółć'], ['lukasz zolc', 'ŁUKASZ']],
    ['with a sharp s', ['Anna', 'Straße'], ['strasse', 'STRASSE', 'straẞe']],
    [
      'with umlauts',
      ['Jürgen', 'Müller'],
      ['mueller', 'MUELLER', 'muller', 'müller', 'juergen muller', 'mu\u0308ller'],
    ],
    ['with umlauts in two letters', ['Juergen', 'Schroeder'], ['Schröder', 'schroeder', 'jürgen schröder']],
    ['with Nordic letters', ['Søren', 'Åberg'], ['soeren', 'aaberg', 'aberg', 'Åberg', 'soren']],
    ['with digits of another script', ['Studio １２٣٤'], ['1234']],
    ['with ligatures', ['Søren', 'Ægir'], ['soren aegir', 'Sören']],
    ['with a dotted or dotless i', ['İbrahim', 'Işık'], ['ibrahim isik', 'IBRAHIM', 'ışık']],
    ['in Vietnamese', ['Đức', 'Nguyễn'], ['duc nguyen']],
    ['in Greek', ['Γιώργος', 'Χάρης'], ['ΓΙΩΡΓΟΣ ΧΑΡΗΣ', 'γιωργοσ']],
    ['in Cyrillic', ['Семён', 'Цой'], ['семен цой', 'СЕМЁН', 'Цо\u0438\u0306']],
    ['in Arabic', ['مُحَمَّد', 'الأحمد'], ['محمد الاحمد', 'محـمـد', 'الإحمد']],
    ['in Persian', ['علی', 'کریمی'], ['علي كريمي']],
    ['in Hebrew', ['שָׁלוֹם', 'כהן'], ['שלום']],
    ['in half-width Katakana', ['ﾀﾛｳ', 'ﾔﾏﾀﾞ'], ['タロウ ヤマダ']],
    ['in full-width letters', ['ＡＮＡ', 'Reyes'], ['ana']],
    ['in one Chinese character', ['小龙', '李'], ['李', '李小龙', '小龙李', '李 小龙']],
    ['in Korean', ['민수', '김'], ['김민수', '김']],
    ['in Devanagari', ['राम', 'शर्मा'], ['राम शर्मा']],
    ['of one letter', ['O', ''], ['o']],
    [
      'by the parts of a hyphenated name',
      ['Anne-Marie', 'Li'],
      ['anne', 'marie li', 'annemarie', 'anne–marie', 'Anne Marie'],
    ],
    ['without its hyphen', ['Annemarie', 'Li'], ['Anne-Marie']],
    ['with a space for its hyphen', ['Anne Marie', 'Li'], ['Anne-Marie', 'annemarie']],
    ['without its suffix', ['Robert', 'Downey'], ['Robert Downey, Jr.', 'downey iii', 'Downey Ph.D.']],
    ['with its suffix', ['Robert', 'Downey Jr.'], ['robert downey', 'Downey jr', 'Jr.', 'downey sr']],
    ['with a degree', ['Ann', 'Lee, Ph.D.'], ['lee phd', 'Ann Lee']],
    ['with joined particles', ['Juan', 'de la Cruz'], ['delacruz', 'Juan De La Cruz', 'cruz', 'la cruz']],
    ['with separate particles', ['Vincent', 'Vangogh'], ['van gogh', 'Vincent Van Gogh']],
    ['with initials', ['J. R. R.', 'Tolkien'], ['tolkien', 'J.R.R. Tolkien']],
    ['with a joiner', ['می‌خواه', 'x'], ['میخواه']],
  ])('%s', (_what, names, queries) => {
    for (const query of queries) expect([query, finds(names, query)]).toEqual([query, true])
  })
})

it.each([
  ['voiced Kana', ['か'], 'が'],
  ['another Cyrillic letter', ['Андреи'], 'Андрей'],
  ['another vowel sign', ['राम'], 'रम'],
  ['a longer name', ['Ann'], 'Anna'],
  ['only one of two words', ['Ann', 'Lee'], 'Ann Marsh'],
  ['nothing', ['Ann'], '- .'],
])('a search for %s does not find a similar name', (_what, names, query) => {
  expect(finds(names, query)).toBe(false)
})

it('folding takes time in proportion to the text, whatever its characters', () => {
  const timeOf = (text: string) => {
    const started = performance.now()
    foldText(text)
    storedWords([text])
    queriedWords(text)
    return performance.now() - started
  }
  for (const unit of ['a', '\u0301', 'a\u0301', 'é', '-', '.', 'a.', 'de ', "'", '\u0640', '\u200d', 'か\u3099']) {
    // A quadratic step would take at least 3 seconds.
    expect([unit, timeOf(unit.repeat(10_000)) < 1_500]).toEqual([unit, true])
  }
})
