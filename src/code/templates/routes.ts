import type { Static } from 'typebox'
import type { Context } from '../../platform/context.ts'
import { created, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { assertReads } from '../../repositories/repository/load.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import { loadCode, loadOfPath } from '../../repositories/repository/routes.ts'
import { asOwner, viewRepository } from '../../repositories/repository/view.ts'
import { generateRepository, loadInputs, planGeneration, type Plan } from './generate.ts'
import type { TemplateInput } from './inputs.ts'
import { toText } from './plan.ts'
import { readGeneration } from './read-generation.ts'
import { assertTemplate } from './rights.ts'
import {
  generateRepo,
  GenerateRepoOption,
  repoGetTemplate,
  type GeneratedFilesBody,
  type TemplateBody,
} from './schema.ts'

export function generationRoutes(api: Api, ctx: Context): void {
  api.post('/repos/:owner/:repo/generate', generateRepo, async (call) => {
    const template = await loadOfPath(ctx, call)
    const caller = call.signedIn()
    assertReads(template, 'repo.code')
    const body = await call.body(GenerateRepoOption)
    const wanted = await readGeneration(ctx, caller, template, body)
    if (!wanted) return unknownOwner(body.owner ?? '')
    const plan = await planGeneration(ctx, caller, template, wanted)
    if (call.query.boolean('dry_run')) return ok(presentPlan(plan))
    const repo = await generateRepository(ctx, caller, template, wanted, plan)
    const view = asOwner(await viewRepository(ctx, caller, repo))
    return created(presentRepository(ctx.config, view))
  })

  api.get('/repos/:owner/:repo/template', repoGetTemplate, async (call) => {
    const template = await loadCode(ctx, call)
    assertTemplate(template)
    return ok({ inputs: (await loadInputs(ctx, template)).map(presentInput) })
  })
}

function unknownOwner(name: string) {
  return { status: 404, body: { error: `request owner \`${name}\` does not exist` } }
}

function presentPlan({ branch, files = [] }: Plan): Static<typeof GeneratedFilesBody> {
  return {
    default_branch: branch,
    files: files.map(({ path, mode, size, content }) => ({
      path: toText(path),
      mode,
      size: content?.length ?? size,
    })),
  }
}

function presentInput(input: TemplateInput): Static<typeof TemplateBody>['inputs'][number] {
  return {
    name: input.name,
    type: input.type,
    prompt: input.prompt,
    pattern: input.pattern,
    options: [...input.options],
    default: input.fallback ?? null,
    required: input.fallback === undefined,
  }
}
