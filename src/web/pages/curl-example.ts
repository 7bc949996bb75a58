import type { OpenApi, Operation } from '../../platform/http/openapi.ts'
import type { JsonSchema } from '../../platform/http/openapi-schema.ts'

interface Call {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** A call to copy: names in capitals are to be replaced. */
export function curlExample(api: OpenApi, { method, path, operation }: Call): string {
  const url =
    (api.servers[0]?.url ?? '') +
    path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  const isOpen = operation.security.some((scheme) => Object.keys(scheme).length === 0)
  const lines = [
    method === 'GET' ? `curl ${url}` : `curl -X ${method} ${url}`,
    ...(isOpen && method === 'GET' ? [] : [`  -H "Authorization: token $TOKEN"`]),
    ...bodyLines(api, operation),
  ]
  return lines.join(' \\\n')
}

/** In the first of the ways in which it can be sent. */
function bodyLines(api: OpenApi, { requestBody }: Operation): readonly string[] {
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {})
  if (type === undefined || content === undefined) return []
  if (type === 'multipart/form-data') return [`  -F attachment=@FILE`]
  const header = `  -H 'Content-Type: ${type}'`
  return type === 'application/json'
    ? [header, `  -d '${JSON.stringify(sample(api, content.schema))}'`]
    : [header, `  --data-binary @FILE`]
}

/** The fields that must be there, or the first when none must. */
function sample(api: OpenApi, schema: JsonSchema): unknown {
  const { properties = {}, required = [] } = resolveReference(api, schema)
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(names.map((name) => [name, sampleValue(api, name, properties[name])]))
}

function sampleValue(api: OpenApi, name: string, field: JsonSchema | undefined): unknown {
  if (field?.enum) return field.enum[0]
  if (field?.type === 'boolean') return true
  if (field?.type === 'integer') return 1
  if (field?.items) return [sampleValue(api, name, field.items)]
  if (field?.properties ?? field?.$ref) return sample(api, field ?? {})
  return name.toUpperCase()
}

export function resolveReference({ components }: OpenApi, schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}
