/** Mutations of hosted-page links. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

export const hostedMutations = [
  {
    promise: 'A hosted link, which is valid for a day, cannot open an element',
    file: src('flow/sessions/redeem.ts'),
    find: ': given.origin === null',
    replace: ': true',
    name: 'is exchanged once, by the page itself and never',
  },
  {
    promise: 'A hosted page returns only to an allowed origin',
    file: src('flow/sessions/origins.ts'),
    find: 'if (mayEmbed(allowed, url.origin)) return url.href',
    replace: 'if (url) return url.href',
    name: 'returns to an allowed origin',
  },
  {
    promise: "A link's secret is in a part of the URL that no server receives",
    file: src('flow/sessions/tokens.ts'),
    find: '}#',
    replace: '}?t=',
    name: 'is returned with the token',
  },
  {
    promise: 'A hosted page may not be framed',
    file: src('flow/frame/hosted-page.ts'),
    find: `pageHeaders("'none'",`,
    replace: "pageHeaders('*',",
    name: "can't be framed, sends no referrer, is not cached",
  },
  {
    promise: "A customer's name is rendered as text on a hosted page",
    file: src('flow/frame/shell.ts'),
    find: 'escaped(content)',
    replace: 'content',
    name: 'renders names as text, whatever they contain',
  },
].map(each => ({ test: src('flow/frame/hosted-page.test.ts'), ...each }))
