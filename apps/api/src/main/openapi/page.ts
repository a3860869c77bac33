import { type Endpoint, errorsOf } from '@causeway/contract/declaration/endpoint'
import { families } from '@causeway/contract/endpoints/table'
import { errors } from '@causeway/contract/errors'
import { type Version, versions } from '@causeway/contract/versions'
import { type Document, describeApi, exampleOf, requestExampleOf, templateOf } from './document.js'
import { fields, anchorOf as resourceAnchor, typeOf } from './fields.js'
import { json, prose, safe, slug } from './html.js'
import type { Schema } from './schemas.js'

const anchorOf = ({ method, path }: Endpoint) => slug(`${method} ${path}`)

const auths = { secret: 'secret key', opal: 'Opal token', none: 'no key' }

function parameters(operation: Record<string, unknown>): string {
  const all = operation['parameters'] as { name?: string; in?: string; schema?: Schema; description?: string }[]
  const rows = all
    .filter(parameter => parameter.in === 'query')
    .map(
      ({ name, schema, description }) =>
        `<tr><th scope="row"><code>${safe(name!)}</code></th><td>${typeOf(schema!)}${description ? `<br>${prose(description)}` : ''}</td></tr>`,
    )
  return rows.length === 0 ? '' : `<table><caption>Query</caption>${rows.join('')}</table>`
}

function refusals(endpoint: Endpoint): string {
  const rows = errorsOf(endpoint).map(
    name =>
      `<tr><th scope="row"><code>${name}</code> <small>${errors[name].status}</small></th><td>${prose(errors[name].message)}</td></tr>`,
  )
  return `<details><summary>Errors</summary><table><caption>Errors</caption>${rows.join('')}</table></details>`
}

/** Describes a schema that is a fixed list of names. */
function values(schema: Schema): string {
  const names = schema['enum'] as string[] | undefined
  if (!names) return ''
  const listed = names.map(name => `<code>${safe(name)}</code>`).join(' ')
  return `<p>${prose(String(schema['description'] ?? ''))}</p><p>${listed}</p>`
}

function article(endpoint: Endpoint, document: Document, version: Version): string {
  const { method, path, summary, description, auth = 'secret', sandbox, shape } = endpoint
  const operation = document.paths[templateOf(path)]![method.toLowerCase()]!
  const body = operation['requestBody'] as { content: Record<string, { schema: Schema }> } | undefined
  const request = requestExampleOf(endpoint, version)
  const answer = exampleOf(endpoint, version, 'root')
  const anchor = anchorOf(endpoint)
  return `<article id="${anchor}">
<h3><a href="#${anchor}"><b class="${method.toLowerCase()}">${method}</b> <code>${safe(templateOf(path))}</code></a></h3>
<p><strong>${safe(summary)}</strong> <small>${auths[auth]}${sandbox ? ' · sandbox only' : ''}</small></p>
${description ? `<p>${prose(description)}</p>` : ''}
${parameters(operation)}
${body ? fields('Body', body.content['application/json']!.schema) : ''}
<div class="examples">
${request ? `<figure><figcaption>Request</figcaption>${json(request)}</figure>` : ''}
${shape === 'raw' && typeof answer === 'string' ? '' : `<figure><figcaption>Response</figcaption>${json(answer)}</figure>`}
</div>
${refusals(endpoint)}
</article>`
}

const head = (version: Version) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Causeway API ${version}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>`

const start = (origin: string) => `<section id="start">
<h2>Get started</h2>
<p>Send JSON with your secret key from your server. Every response has a <code>Request-Id</code> header.</p>
<pre tabindex="0"><code>curl ${safe(origin)}/entities \\
  -H 'Authorization: Bearer sk_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"type":"individual","individual":{"first_name":"Ana"}}'</code></pre>
<p>A resource is the response body itself, a list is in <code>data</code>, and an error is in <code>error</code>, with a
<code>sub_type</code> to branch on. Money is in whole cents, and times are in UTC with milliseconds. You can safely retry a
POST with an <code>Idempotency-Key</code>, because it returns its first response.</p>
<p>For a machine-readable description, see <a href="/openapi.json">OpenAPI 3.1</a>.</p>
</section>`

/** Renders a version's API reference as an HTML page without scripts or external resources. */
export function page(origin: string, version: Version): string {
  const document = describeApi(origin, version)
  const served = families.map(family => ({
    ...family,
    endpoints: family.endpoints.filter(each => document.paths[templateOf(each.path)]?.[each.method.toLowerCase()]),
  }))
  const schemas = document.components['schemas'] as Record<string, Schema>
  const link = (to: string, text: string) => `<li><a href="#${to}">${safe(text)}</a></li>`
  return `${head(version)}
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
${served
  .map(
    family =>
      `<li><a href="#${slug(family.name)}">${safe(family.name)}</a><ul>${family.endpoints
        .map(each => link(anchorOf(each), each.summary))
        .join('')}</ul></li>`,
  )
  .join('\n')}
${link('resources', 'Resources')}
</ul></details></nav>
<main id="main">
${start(origin)}
${served
  .map(
    family => `<section id="${slug(family.name)}">
<h2>${safe(family.name)}</h2>
<p>${prose(family.about)}</p>
${family.endpoints.map(endpoint => article(endpoint, document, version)).join('\n')}
</section>`,
  )
  .join('\n')}
<section id="resources">
<h2>Resources</h2>
${Object.entries(schemas)
  .map(
    ([name, schema]) =>
      `<article id="${resourceAnchor(name)}"><h3><a href="#${resourceAnchor(name)}">${safe(name)}</a></h3>${values(schema)}${fields('Fields', schema)}</article>`,
  )
  .join('\n')}
</section>
</main>
</body>
</html>
`
}
