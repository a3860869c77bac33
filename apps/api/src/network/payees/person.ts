/** The rule for whether two names can be those of one person. Pure. */

/** Lowercase letters of other scripts that look like Latin letters, without marks. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm', н: 'h', о: 'o' },
    ...{ р: 'p', ԛ: 'q', г: 'r', ѕ: 's', т: 't', у: 'y', ү: 'y', ѵ: 'v', ԝ: 'w', х: 'x', ь: 'b' },
    ...{ α: 'a', β: 'b', ε: 'e', ζ: 'z', η: 'h', ι: 'i', κ: 'k', μ: 'm', ν: 'n', ο: 'o', ρ: 'p', σ: 'o', ς: 'c' },
    ...{ τ: 't', υ: 'y', χ: 'x', ω: 'w', ϲ: 'c', ϳ: 'j', ı: 'i', ȷ: 'j', ɑ: 'a', ɡ: 'g', ø: 'o', ł: 'l', đ: 'd' },
  }),
)

/** The scripts that a name must not mix. The last stands for all others, which some languages mix. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /(?=\p{L})[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Common}]/u,
]

/**
 * Reduces a name to what tells people apart: no case, marks, punctuation, digits, spaces or order of words, and one
 * letter for all that look like it. Returns an empty string for a name without letters.
 */
export const foldPerson = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .split(/[^\p{L}\p{M}'’]+/u)
    .map(word => [...word.replace(/\P{L}/gu, '')].map(letter => lookAlikes.get(letter) ?? letter).join(''))
    .sort()
    .join('')

/** Returns why a name can't tell a person apart, or undefined if it can. */
export function personFaultOf(name: string): string | undefined {
  if (foldPerson(name) === '') return 'must contain a letter'
  return scripts.filter(script => script.test(name)).length > 1 ? 'must not mix scripts' : undefined
}
