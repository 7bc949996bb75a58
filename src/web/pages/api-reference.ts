import type { Content, OpenApi, Operation, Parameter } from '../../platform/http/openapi.ts'
import type { JsonSchema } from '../../platform/http/openapi-schema.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import { curlExample, resolveReference } from './curl-example.ts'

interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Every operation of the API, by tag, and then the records that they take and give. */
export function apiReferencePage(api: OpenApi): Page {
  const operations = listOperations(api)
  const groups = api.tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }))
  return {
    title: 'API reference',
    content: html`
<h1>API <span class="tag">${api.info.version}</span></h1>
<p class="lede">${inline(api.info.description)}</p>
<p class="mute">Addresses begin with <code>${api.servers[0]?.url}</code>. The same for programs:
<a href="../swagger.v1.json">OpenAPI</a>.</p>
<div class="split">
<div>
${groups.map(({ name, operations: listed }) => renderGroup(api, name, listed))}
<section id="records">
<h2>Records</h2>
${Object.entries(api.components.schemas).map(([name, schema]) => renderRecord(name, schema))}
</section>
</div>
<aside>
<nav aria-label="Operations">
<h2>Operations</h2>
<ul class="plain">${groups.map(({ name, operations: listed }) => html`<li><a href="#tag-${name}">${name}</a> <span class="mute">${listed.length}</span></li>`)}</ul>
<h2>More</h2>
<ul class="plain"><li><a href="#records">Records</a></li></ul>
</nav>
</aside>
</div>`,
  }
}

function listOperations({ paths }: OpenApi): readonly Listed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

function renderGroup(api: OpenApi, name: string, operations: readonly Listed[]): Html {
  return html`
<section id="tag-${name}">
<h2>${name}</h2>
${operations.map((listed) => renderOperation(api, listed))}
</section>`
}

function renderOperation(api: OpenApi, listed: Listed): Html {
  const { method, path, operation } = listed
  return html`
<details class="operation" id="${operation.operationId}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code> <span class="mute">${operation.summary}</span></summary>
<div class="prose">
<p class="mute"><code>${operation.operationId}</code>${operation.description && html` · ${inline(operation.description)}`}</p>
${operation.parameters.length > 0 && renderParameters(operation.parameters)}
${operation.requestBody && renderBody(api, operation.requestBody.content)}
<h3>Answers</h3>
${renderAnswers(operation)}
<h3>Example</h3>
<pre tabindex="0"><code>${curlExample(api, listed)}</code></pre>
</div>
</details>`
}

function renderBody(api: OpenApi, content: Content): Html {
  const body = content['application/json']?.schema
  if (!body) return html`<h3>Body: ${Object.keys(content).join(' or ')}</h3>`
  return html`<h3>Body: ${typeName(body)}</h3>${renderFields(resolveReference(api, body))}`
}

function renderParameters(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(
    (one) =>
      html`<tr><td><code>${one.name}</code></td><td>${one.in}, ${one.schema.type}</td><td>${one.description}</td></tr>`,
  )
  return html`<h3>Parameters</h3><table class="fields">${rows}</table>`
}

function renderAnswers({ responses }: Operation): Html {
  const rows = Object.entries(responses).map(([status, response]) => {
    if ('$ref' in response) {
      return html`<tr><td>otherwise</td><td><a href="#record-APIError">APIError</a></td></tr>`
    }
    const { content, description } = response
    return html`<tr><td>${status}</td><td>${content ? formsOf(content) : description}</td></tr>`
  })
  return html`<table class="fields">${rows}</table>`
}

/** Records by their names, and the rest by its type. */
function formsOf(content: Content): Html {
  const forms = Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json' ? typeName(schema) : html`<code>${type}</code>`,
  )
  return html`${forms.map((form, index) => [index > 0 && ' or ', form])}`
}

function renderRecord(name: string, schema: JsonSchema): Html {
  return html`
<details class="operation" id="record-${name}" open>
<summary><code>${name}</code></summary>
<div class="prose">${renderFields(schema)}</div>
</details>`
}

function renderFields({ properties = {}, required = [] }: JsonSchema): Html {
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<tr><td><code>${name}</code></td><td>${typeName(field)}</td><td>${notes(field, required.includes(name))}</td></tr>`,
  )
  if (rows.length === 0) return html`<p class="mute">No fields.</p>`
  return html`<table class="fields">${rows}</table>`
}

function notes(field: JsonSchema, isRequired: boolean): string {
  return [
    isRequired && 'required',
    field.enum && `one of ${field.enum.join(', ')}`,
    field.maxLength !== undefined && `at most ${field.maxLength} characters`,
    field.description,
  ]
    .filter((note) => note !== false && note !== undefined)
    .join('; ')
}

function typeName(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#record-${name}">${name}</a>`
  }
  if (schema.anyOf) {
    return html`${schema.anyOf.map((variant, index) => [index > 0 && ' or ', typeName(variant)])}`
  }
  if (schema.items) return html`list of ${typeName(schema.items)}`
  if (schema.properties) return html`${'{ '}${Object.keys(schema.properties).join(', ')}${' }'}`
  return html`${schema.format ?? schema.type ?? 'anything'}`
}

/** Words between backquotes are code. */
function inline(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
