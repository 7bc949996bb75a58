import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../repository/schema.ts'

export const repoSearch = {
  operationId: 'repoSearch',
  summary: 'Repositories by many filters',
  scope: ['repository'],
  access: 'anyone',
  publicOnly: 'public',
  query: {
    q: 'keyword; commas separate alternatives, one slash means owner/name',
    topic: 'the keyword is a topic',
    includeDesc: 'the keyword may be in the description',
    uid: 'what this account owns or collaborates on',
    priority_owner_id: 'what this account owns comes first',
    team_id: 'what this team has',
    starredBy: 'what this account has starred',
    private: 'false: only what is public to the world',
    is_private: 'only private, or only public ones',
    template: 'only templates, or none',
    archived: 'only archived ones, or none',
    mode: 'source, fork, mirror or collaborative',
    exclusive: 'with uid: only what the account owns',
    owner: 'the name of its owner',
    language: 'its main language',
    license: 'one of its licenses',
    topics: 'topics that it has, all of them, separated by commas',
    updated_since: 'updated at this time or later',
    sort: 'alpha, created, updated, size, git_size, lfs_size, stars, forks, id or relevance',
    order: 'asc or desc',
  },
  paged: 'by number or cursor',
  answers: {
    200: Type.Object(
      { ok: Type.Boolean(), data: Type.Array(RepositoryBody) },
      { title: 'SearchResults' },
    ),
  },
} satisfies Endpoint
