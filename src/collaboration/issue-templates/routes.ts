import type { Static } from 'typebox'
import type { Context } from '../../platform/context.ts'
import { ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import { loadCode } from '../../repositories/repository/routes.ts'
import type { FormField } from './fields.ts'
import { IssueFilesReader } from './load.ts'
import {
  repoGetIssueConfig,
  repoGetIssueTemplates,
  repoValidateIssueConfig,
  type IssueFormFieldBody,
  type IssueTemplateBody,
} from './schema.ts'
import type { IssueTemplate } from './template.ts'

export function issueTemplateRoutes(api: Api, ctx: Context): void {
  const files = new IssueFilesReader(ctx)

  api.get('/repos/:owner/:repo/issue_templates', repoGetIssueTemplates, async (call) => {
    const view = await loadCode(ctx, call)
    const { templates, failures } = await files.templates(call.caller, view)
    return ok(presentKept(templates), failures.length === 0 ? {} : warningOf(failures.length))
  })

  api.get('/repos/:owner/:repo/issue_config', repoGetIssueConfig, async (call) => {
    const view = await loadCode(ctx, call)
    const { config } = await files.config(call.caller, view)
    return ok({
      blank_issues_enabled: config.blankIssues,
      contact_links: config.contactLinks.map(({ name, url, about }) => ({ name, url, about })),
    })
  })

  api.get('/repos/:owner/:repo/issue_config/validate', repoValidateIssueConfig, async (call) => {
    const view = await loadCode(ctx, call)
    const { problem } = await files.config(call.caller, view)
    return ok({ valid: problem === '', message: problem })
  })
}

/** Clients look for one or the other. */
function warningOf(failures: number): Readonly<Record<string, string>> {
  const warning = `error occurs when parsing issue template: count=${failures}`
  return { 'X-Gitea-Warning': warning, 'X-Service-Warning': warning }
}

const presentKept = keptBy((templates: readonly IssueTemplate[]) => {
  const bodies = templates.map(present)
  Object.freeze(bodies)
  return bodies
})

function present(template: IssueTemplate): Static<typeof IssueTemplateBody> {
  return {
    name: template.name,
    title: template.title,
    about: template.about,
    labels: template.labels ? [...template.labels] : null,
    assignees: template.assignees ? [...template.assignees] : null,
    ref: template.ref,
    content: template.content,
    body: template.fields?.map(presentField) ?? null,
    file_name: template.path,
  }
}

function presentField(field: FormField): Static<typeof IssueFormFieldBody> {
  return {
    type: field.type,
    id: field.id,
    attributes: field.attributes ?? null,
    validations: field.validations ?? null,
    ...(field.visible.length > 0 ? { visible: [...field.visible] } : {}),
  }
}
