import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { ErrorBody } from '../../platform/http/error-schema.ts'
import { RepositoryBody } from '../../repositories/repository/schema.ts'

const item = (what: string) => Type.Optional(Type.Boolean({ description: `Copy ${what}.` }))

export const GenerateRepoOption = Type.Object(
  {
    owner: Type.Optional(Type.String({ description: 'Who shall own it.' })),
    name: Type.String({ notEmpty: true, rule: 'AlphaDashDot', maxLength: 100 }),
    default_branch: Type.Optional(Type.String({ rule: 'NewBranchName', maxLength: 100 })),
    description: Type.Optional(Type.String({ maxLength: 2048 })),
    private: Type.Optional(Type.Boolean()),
    git_content: item('the files of the default branch'),
    topics: item('the topics'),
    git_hooks: item('the git hooks: accepted, and without effect'),
    webhooks: item('the webhooks'),
    avatar: item('the avatar'),
    labels: item('the labels'),
    protected_branch: item('the branch protections'),
    variables: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values for the inputs that the template declares, by their names.',
      }),
    ),
  },
  { title: 'GenerateRepoOption' },
)

const UnknownOwnerBody = Type.Object({ error: Type.String() }, { title: 'GenerateUnknownOwner' })

export const GeneratedFilesBody = Type.Object(
  {
    default_branch: Type.String(),
    files: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          mode: Type.String({ description: 'As git has it, such as 100644.' }),
          size: Type.Integer({ description: 'In bytes.' }),
        },
        { title: 'GeneratedFile' },
      ),
    ),
  },
  { title: 'GeneratedFiles' },
)

export const TemplateBody = Type.Object(
  {
    inputs: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          type: Type.String({ description: 'string, integer, boolean or choice.' }),
          prompt: Type.String(),
          pattern: Type.String({ description: 'Of the whole value; empty for any.' }),
          options: Type.Array(Type.String()),
          default: Type.Union([Type.String(), Type.Null()]),
          required: Type.Boolean(),
        },
        { title: 'TemplateInput' },
      ),
    ),
  },
  { title: 'Template' },
)

export const generateRepo = {
  operationId: 'generateRepo',
  summary: 'Make a repository from a template',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  refusesOrganizations: true,
  query: { dry_run: 'true: answer with the files it would have, and make nothing' },
  body: GenerateRepoOption,
  answers: {
    200: GeneratedFilesBody,
    201: RepositoryBody,
    404: Type.Union([UnknownOwnerBody, ErrorBody]),
  },
} satisfies Endpoint

export const repoGetTemplate = {
  operationId: 'repoGetTemplate',
  summary: 'What a template asks whoever makes a repository from it',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: { 200: TemplateBody },
} satisfies Endpoint
