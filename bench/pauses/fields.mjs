/** Every string, list and object in the bodies of the contract. */

/**
 * @returns `{ method, path, field, kind, wrap }`: `wrap(value)` is a body in which the field has that value and which
 *   has no other field
 */
export function fieldsOf(endpoints) {
  const fields = []
  for (const { method, path, body } of endpoints) {
    if (!body) continue
    const seen = new Set()
    const visit = (schema, name, wrap) => {
      const { def } = schema
      const kind = { string: 'string', array: 'list', record: 'object' }[def.type]
      if (kind && !seen.has(`${kind} ${name}`)) {
        seen.add(`${kind} ${name}`)
        fields.push({ method, path, field: name, kind, wrap })
      }
      for (const [key, inner] of Object.entries(def.shape ?? {}))
        visit(inner, name ? `${name}.${key}` : key, value => wrap({ [key]: value }))
      for (const inner of def.options ?? []) visit(inner, name, wrap)
      if (def.element) visit(def.element, `${name}[]`, value => wrap([value]))
      if (def.type === 'record') visit(def.valueType, `${name}{}`, value => wrap({ a: value }))
      if (def.innerType) visit(def.innerType, name, wrap)
      if (def.type === 'pipe') visit(def.in, name, wrap)
    }
    visit(body, '', value => value)
  }
  return fields
}
