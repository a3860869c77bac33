/** Mutations of hosted-page links. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

export const hostedMutations = [
  {
    promise: 'A link that waits for a day opens no element',
    file: src('flow/sessions/redeem.ts'),
    find: ': given.origin === null',
    replace: ': true',
    name: 'by no element',
  },
  {
    promise: 'A hosted page ends on an allowed origin alone',
    file: src('flow/sessions/origins.ts'),
    find: 'if (mayEmbed(allowed, url.origin)) return url.href',
    replace: 'if (url) return url.href',
    name: 'ends on an allowed origin',
  },
  {
    promise: "A link's secret is where no server sees it",
    file: src('flow/sessions/tokens.ts'),
    find: '}#',
    replace: '}?t=',
    name: 'has its secret behind',
  },
  {
    promise: 'A hosted page may not be framed',
    file: src('flow/frame/hosted-page.ts'),
    find: `pageHeaders("'none'",`,
    replace: "pageHeaders('*',",
    name: 'may not be framed',
  },
  {
    promise: "A customer's name is text in a hosted page",
    file: src('flow/frame/shell.ts'),
    find: 'escaped(content)',
    replace: 'content',
    name: 'stays text',
  },
].map(each => ({ test: src('flow/frame/hosted-page.test.ts'), ...each }))
