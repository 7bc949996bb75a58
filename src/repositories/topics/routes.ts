import type { Context } from '../../platform/context.ts'
import { noContent } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { assertAdministers } from '../repository/load.ts'
import { loadOfPath } from '../repository/routes.ts'
import type { Repository } from '../repository/repository.ts'
import { isVisibleRepository } from '../repository/visibility.ts'
import { formatTime } from '../../platform/time.ts'
import { pageTopicNames, searchTopics } from './queries.ts'
import {
  repoAddTopic,
  repoDeleteTopic,
  repoListTopics,
  RepoTopicOptions,
  repoUpdateTopics,
  topicSearch,
} from './schema.ts'
import { addTopic, removeTopic, replaceTopics } from './topics.ts'

export function topicRoutes(api: Api, ctx: Context): void {
  const topics = '/repos/:owner/:repo/topics'

  api.get(topics, repoListTopics, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    const found = await pageTopicNames(ctx.db, repo.id, call.page)
    return call.listOf(found, { topics: [...found.items] }, { links: false })
  })

  api.put(topics, repoUpdateTopics, async (call) => {
    const repo = await loadAdministered(ctx, call)
    const { topics: names = [] } = await call.body(RepoTopicOptions)
    await replaceTopics(ctx, repo.id, names)
    return noContent()
  })

  api.put(`${topics}/:topic`, repoAddTopic, async (call) => {
    const repo = await loadAdministered(ctx, call)
    await addTopic(ctx, repo.id, call.param('topic'))
    return noContent()
  })

  api.delete(`${topics}/:topic`, repoDeleteTopic, async (call) => {
    const repo = await loadAdministered(ctx, call)
    await removeTopic(ctx, repo.id, call.param('topic'))
    return noContent()
  })

  api.get('/topics/search', topicSearch, async (call) => {
    const visible = isVisibleRepository(ctx.config, call.caller)
    const found = await searchTopics(ctx.db, visible, call.query.text('q') ?? '', call.page)
    const shown = found.items.map((topic) => ({
      id: topic.id,
      topic_name: topic.name,
      repo_count: topic.repo_count,
      created: formatTime(topic.created_at),
      updated: formatTime(topic.updated_at),
    }))
    return call.listOf(found, { topics: shown })
  })
}

async function loadAdministered(ctx: Context, call: Call): Promise<Repository> {
  const view = await loadOfPath(ctx, call)
  call.signedIn()
  assertAdministers(view)
  return view.repo
}
