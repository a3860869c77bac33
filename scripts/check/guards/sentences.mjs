/**
 * Finds the sentences in a file: the comments, test titles and other strings in a script, the comments in a style
 * sheet, and the prose on a page. Each sentence is `{ kind, text, start }`. `text` has the same length as its source,
 * so adding an index in `text` to `start` gives a position in the file. In `text`, code, markup and comment markers are
 * overwritten.
 */
import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner } from 'typescript/unstable/ast/scanner'

/** Replaces code within a sentence. This character is not a letter, so phrases do not match across it. */
const CODE = '\u00a7'
const blank = text => text.replace(/[^\n]/g, ' ')
const hide = text => text.replace(/[^\n]/g, CODE)

/** Overwrites inline code and URLs. */
const withoutCode = text => text.replace(/`[^`\n]+`/g, hide).replace(/\b(?:https?|file):\/\/\S+/g, hide)

/** Overwrites comment markers. */
const withoutMarkers = text =>
  text
    .replace(/^\/\*+|\*+\/$/g, blank)
    .replace(/^[ \t]*\*(?!\/)/gm, blank)
    .replace(/^[ \t]*\/\/+/gm, blank)

/** Overwrites everything from `@example` to the end of the comment, because an example is code. */
const withoutExample = text => text.replace(/@example[\s\S]*$/, hide)

const comment = (text, start) => ({ kind: 'comment', text: withoutCode(withoutExample(withoutMarkers(text))), start })

const tests = new Set(['it', 'test', 'describe'])
/** After any of these tokens, a slash is a division operator. After any other token, it starts a regular expression. */
const operands = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.PlusPlusToken,
  SyntaxKind.MinusMinusToken,
])

/** Finds each `(` that opens the arguments of `it`, `describe.skipIf(...)` or a similar function. */
function callTracker() {
  const open = []
  let closed = false
  let chain = null
  return {
    /** @returns true if the token opens a test's arguments */
    see(kind, word) {
      let titled = false
      if (kind === SyntaxKind.OpenParenToken) {
        titled = closed || chain !== null
        open.push(titled)
      }
      if (kind === SyntaxKind.CloseParenToken) {
        closed = open.pop() ?? false
        chain = null
      } else {
        if (kind === SyntaxKind.DotToken) {
          if (chain !== null) return false
        } else if (!(chain === '.' && kind === SyntaxKind.Identifier)) chain = null
        if (kind === SyntaxKind.Identifier && tests.has(word)) chain = '.'
        closed = false
      }
      return titled
    },
  }
}

function ofScript(text, path) {
  const scanner = createScanner(false, path.endsWith('x') ? 1 : 0, text)
  const found = []
  const templates = []
  const calls = callTracker()
  let last = SyntaxKind.Unknown
  let titled = false
  let lines = null
  const endLines = () => {
    if (lines) found.push(comment(text.slice(lines.start, lines.end), lines.start))
    lines = null
  }
  const literal = (start, end, title) => {
    const words = text.slice(start, end)
    // Skips single words (most string literals), because they are not sentences.
    if (title || words.includes(' ')) found.push({ kind: title ? 'title' : 'text', text: withoutCode(words), start })
  }

  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    const start = scanner.getTokenStart()
    if (kind === SyntaxKind.WhitespaceTrivia || kind === SyntaxKind.NewLineTrivia) continue
    if (kind === SyntaxKind.SingleLineCommentTrivia) {
      const end = scanner.getTokenEnd()
      if (lines && /^[ \t]*\n[ \t]*$/.test(text.slice(lines.end, start))) lines.end = end
      else {
        endLines()
        lines = { start, end }
      }
      continue
    }
    endLines()
    if (kind === SyntaxKind.MultiLineCommentTrivia) {
      found.push(comment(text.slice(start, scanner.getTokenEnd()), start))
      continue
    }
    if ((kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) && !operands.has(last))
      kind = scanner.reScanSlashToken()
    const template = templates.at(-1)
    if (kind === SyntaxKind.OpenBraceToken && template) template.depth += 1
    if (kind === SyntaxKind.CloseBraceToken && template) {
      if (template.depth > 0) template.depth -= 1
      else {
        kind = scanner.reScanTemplateToken(false)
        template.parts.push([start, scanner.getTokenEnd()])
        if (kind === SyntaxKind.TemplateTail) {
          templates.pop()
          const from = template.parts[0][0]
          const end = scanner.getTokenEnd()
          let whole = ''
          let at = from
          for (const [first, after] of template.parts) {
            whole += hide(text.slice(at, first)) + text.slice(first, after)
            at = after
          }
          whole += text.slice(at, end)
          found.push({
            kind: template.titled ? 'title' : 'text',
            text: withoutCode(whole.replace(/^`|`$|\$\{|\}/g, hide)),
            start: from,
          })
        }
      }
    }
    if (kind === SyntaxKind.TemplateHead) templates.push({ depth: 0, titled, parts: [[start, scanner.getTokenEnd()]] })
    if (kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NoSubstitutionTemplateLiteral)
      literal(start + 1, scanner.getTokenEnd() - 1, titled)
    titled = calls.see(kind, kind === SyntaxKind.Identifier ? scanner.getTokenText() : '')
    last = kind
  }
  endLines()
  return found
}

function ofStyles(text) {
  return [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(match => comment(match[0], match.index))
}

function ofMarkdown(text) {
  const prose = text
    .replace(/^([ \t]*)(`{3,}|~{3,})[\s\S]*?^\1\2[ \t]*$/gm, hide)
    .replace(/\]\([^)]*\)/g, hide)
    .replace(/<[a-z/][^>]*>/gi, hide)
  return [{ kind: 'page', text: withoutCode(prose), start: 0 }]
}

function ofHtml(text) {
  const prose = text.replace(/<(script|style|pre|code)\b[\s\S]*?<\/\1>/gi, hide).replace(/<(?!!--)[^>]*>/g, hide)
  return [{ kind: 'page', text: prose, start: 0 }]
}

/** Finds the comments in shell scripts and YAML files. */
function ofLines(text) {
  return [...text.matchAll(/(?:^[ \t]*#[^!\n].*\n?)+/gm)].map(match => ({
    kind: 'comment',
    text: withoutCode(match[0].replace(/^[ \t]*#+/gm, blank)),
    start: match.index,
  }))
}

export function sentencesOf({ path, text }) {
  if (/\.(?:ts|tsx|mts|mjs|js)$/.test(path)) return ofScript(text, path)
  if (/\.css$/.test(path)) return ofStyles(text)
  if (/\.md$/.test(path)) return ofMarkdown(text)
  if (/\.html$/.test(path)) return ofHtml(text)
  if (/\.(?:sh|ya?ml)$/.test(path)) return ofLines(text)
  if (/\.jsonc$/.test(path)) return ofScript(text, path).filter(({ kind }) => kind === 'comment')
  return []
}
