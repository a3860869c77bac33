import { type Endpoint, errorsOf } from '@causeway/contract/declaration/endpoint'
import { families } from '@causeway/contract/endpoints/table'
import { errors } from '@causeway/contract/errors'
import { type Version, versions } from '@causeway/contract/versions'
import { type Document, describeApi, exampleOf, requestExampleOf, templateOf } from './document.js'
import { renderFields, renderType, anchorOf as resourceAnchor } from './fields.js'
import { escapeHtml, renderJson, renderProse, slug } from './html.js'
import type { Schema } from './schemas.js'

const anchorOf = ({ method, path }: Endpoint) => slug(`${method} ${path}`)

const authLabels = { secret: 'secret key', opal: 'Opal token', none: 'no key' }

function renderParameters(operation: Record<string, unknown>): string {
  const all = operation['parameters'] as { name?: string; in?: string; schema?: Schema; description?: string }[]
  const rows = all
    .filter(parameter => parameter.in === 'query')
    .map(
      ({ name, schema, description }) =>
        `<tr><th scope="row"><code>${escapeHtml(name!)}</code></th><td>${renderType(schema!)}${description ? `<br>${renderProse(description)}` : ''}</td></tr>`,
    )
  return rows.length === 0 ? '' : `<table><caption>Query</caption>${rows.join('')}</table>`
}

function renderErrors(endpoint: Endpoint): string {
  const rows = errorsOf(endpoint).map(
    name =>
      `<tr><th scope="row"><code>${name}</code> <small>${errors[name].status}</small></th><td>${renderProse(errors[name].message)}</td></tr>`,
  )
  return `<details><summary>Errors</summary><table><caption>Errors</caption>${rows.join('')}</table></details>`
}

/** Describes a schema that is a fixed list of names. */
function renderValues(schema: Schema): string {
  const names = schema['enum'] as string[] | undefined
  if (!names) return ''
  const items = names.map(name => `<code>${escapeHtml(name)}</code>`).join(' ')
  return `<p>${renderProse(String(schema['description'] ?? ''))}</p><p>${items}</p>`
}

function renderEndpoint(endpoint: Endpoint, document: Document, version: Version): string {
  const { method, path, summary, description, auth = 'secret', sandbox, shape } = endpoint
  const operation = document.paths[templateOf(path)]![method.toLowerCase()]!
  const body = operation['requestBody'] as { content: Record<string, { schema: Schema }> } | undefined
  const request = requestExampleOf(endpoint, version)
  const answer = exampleOf(endpoint, version, 'root')
  const anchor = anchorOf(endpoint)
  return `<article id="${anchor}">
<h3><a href="#${anchor}"><b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(templateOf(path))}</code></a></h3>
<p><strong>${escapeHtml(summary)}</strong> <small>${authLabels[auth]}${sandbox ? ' · sandbox only' : ''}</small></p>
${description ? `<p>${renderProse(description)}</p>` : ''}
${renderParameters(operation)}
${body ? renderFields('Body', body.content['application/json']!.schema) : ''}
<div class="examples">
${request ? `<figure><figcaption>Request</figcaption>${renderJson(request)}</figure>` : ''}
${shape === 'raw' && typeof answer === 'string' ? '' : `<figure><figcaption>Response</figcaption>${renderJson(answer)}</figure>`}
</div>
${renderErrors(endpoint)}
</article>`
}

const renderHead = (version: Version) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Causeway API ${version}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>`

const renderStart = (origin: string) => `<section id="start">
<h2>Get started</h2>
<p>Send JSON with your secret key from your server. Every response has a <code>Request-Id</code> header.</p>
<pre tabindex="0"><code>curl ${escapeHtml(origin)}/entities \\
  -H 'Authorization: Bearer sk_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"type":"individual","individual":{"first_name":"Ana"}}'</code></pre>
<p>A resource is the response body itself, a list is in <code>data</code>, and an error is in <code>error</code>, with a
<code>sub_type</code> to branch on. Money is in whole cents, and times are in UTC with milliseconds. You can safely retry a
POST with an <code>Idempotency-Key</code>, because it returns its first response.</p>
<p>For a machine-readable description, see <a href="/openapi.json">OpenAPI 3.1</a>.</p>
</section>`

/** Renders a version's API reference as an HTML page without scripts or external resources. */
export function renderPage(origin: string, version: Version): string {
  const document = describeApi(origin, version)
  const servedFamilies = families.map(family => ({
    ...family,
    endpoints: family.endpoints.filter(each => document.paths[templateOf(each.path)]?.[each.method.toLowerCase()]),
  }))
  const schemas = document.components['schemas'] as Record<string, Schema>
  const link = (to: string, text: string) => `<li><a href="#${to}">${escapeHtml(text)}</a></li>`
  return `${renderHead(version)}
<body>
<a class="skip" href="#main">Skip to the reference</a>
<header>
<h1>Causeway API</h1>
<nav aria-label="Versions">${versions
    .map(each =>
      each === version ? `<b aria-current="page">${each}</b>` : `<a href="/docs?version=${each}">${each}</a>`,
    )
    .join(' ')}</nav>
</header>
<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary><ul>
${link('start', 'Get started')}
${servedFamilies
  .map(
    family =>
      `<li><a href="#${slug(family.name)}">${escapeHtml(family.name)}</a><ul>${family.endpoints
        .map(each => link(anchorOf(each), each.summary))
        .join('')}</ul></li>`,
  )
  .join('\n')}
${link('resources', 'Resources')}
</ul></details></nav>
<main id="main">
${renderStart(origin)}
${servedFamilies
  .map(
    family => `<section id="${slug(family.name)}">
<h2>${escapeHtml(family.name)}</h2>
<p>${renderProse(family.about)}</p>
${family.endpoints.map(endpoint => renderEndpoint(endpoint, document, version)).join('\n')}
</section>`,
  )
  .join('\n')}
<section id="resources">
<h2>Resources</h2>
${Object.entries(schemas)
  .map(
    ([name, schema]) =>
      `<article id="${resourceAnchor(name)}"><h3><a href="#${resourceAnchor(name)}">${escapeHtml(name)}</a></h3>${renderValues(schema)}${renderFields('Fields', schema)}</article>`,
  )
  .join('\n')}
</section>
</main>
</body>
</html>
`
}
