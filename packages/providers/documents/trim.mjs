/**
 * Writes the structure of a provider's OpenAPI document: paths, parameters, names, types, formats, patterns, enums and
 * required members. Leaves out descriptions, examples and everything else that the contract tests do not need.
 *   node packages/providers/documents/trim.mjs twilio/verify_v2.json packages/providers/documents/twilio-verify.json
 */
import { readFileSync, writeFileSync } from 'node:fs'

const [source, target] = process.argv.slice(2)
if (!source || !target) {
  process.stderr.write('usage: node trim.mjs DOCUMENT TARGET\n')
  process.exit(2)
}

/** Members of a schema whose values are schemas by name. */
const named = new Set(['properties', 'patternProperties', '$defs'])
const schemaKeys = new Set([
  ...named,
  ...['$ref', 'type', 'format', 'pattern', 'enum', 'const', 'required', 'nullable', 'items', 'prefixItems'],
  ...['additionalProperties', 'anyOf', 'oneOf', 'allOf', 'not', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['minItems', 'maxItems', 'uniqueItems', 'discriminator'],
])

function schema(value) {
  if (Array.isArray(value)) return value.map(schema)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => schemaKeys.has(key))
      .map(([key, inner]) => [key, named.has(key) ? map(inner, schema) : schema(inner)]),
  )
}
const map = (object, change) =>
  Object.fromEntries(Object.entries(object ?? {}).map(([key, each]) => [key, change(each)]))
const content = value => map(value, ({ schema: inner }) => ({ schema: schema(inner) }))
const parameter = ({ $ref, name, in: where, required, schema: inner }) =>
  $ref ? { $ref } : { name, in: where, ...(required && { required }), schema: schema(inner) }

function operation({ operationId, parameters, requestBody, responses }) {
  return {
    ...(operationId && { operationId }),
    ...(parameters && { parameters: parameters.map(parameter) }),
    ...(requestBody && {
      requestBody: { ...(requestBody.required && { required: true }), content: content(requestBody.content) },
    }),
    responses: map(responses, response => ({ ...(response.content && { content: content(response.content) }) })),
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete']
const document = JSON.parse(readFileSync(source, 'utf8'))
const structure = {
  openapi: document.openapi,
  info: { title: document.info.title, version: document.info.version },
  paths: map(document.paths, path => ({
    ...(path.servers && { servers: path.servers.map(({ url }) => ({ url })) }),
    ...(path.parameters && { parameters: path.parameters.map(parameter) }),
    ...map(Object.fromEntries(Object.entries(path).filter(([key]) => methods.includes(key))), operation),
  })),
  components: { schemas: map(document.components?.schemas, schema) },
}
/** One path or schema per line, so that a new version of the document makes a readable difference. */
const lines = object =>
  `{\n${Object.entries(object)
    .map(([key, each]) => `    ${JSON.stringify(key)}: ${JSON.stringify(each)}`)
    .join(',\n')}\n  }`
writeFileSync(
  target,
  `{
  "openapi": ${JSON.stringify(structure.openapi)},
  "info": ${JSON.stringify(structure.info)},
  "paths": ${lines(structure.paths)},
  "components": { "schemas": ${lines(structure.components.schemas)} }
}
`,
)
