import type { Words } from './index.ts'

export const name = '0009-pulls'

export function statements({ id, integer, text }: Words): readonly string[] {
  const flag = (value: 0 | 1) => `${integer} NOT NULL DEFAULT ${value}`
  const number = `${integer} NOT NULL DEFAULT 0`
  const words = `${text} NOT NULL DEFAULT ''`
  return [
    `CREATE TABLE pull_request (
      id ${id},
      issue_id ${integer} NOT NULL UNIQUE REFERENCES issue (id) ON DELETE CASCADE,
      repository_id ${integer} NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      base_branch ${text} NOT NULL,
      base_commit_id ${text} NOT NULL,
      head_repository_id ${integer} REFERENCES repository (id) ON DELETE SET NULL,
      head_branch ${text} NOT NULL,
      head_commit_id ${text} NOT NULL,
      is_head_gone ${flag(0)},
      merge_base ${words},
      allows_maintainer_edit ${flag(0)},
      is_merged ${flag(0)},
      merged_at ${number},
      merged_by_id ${integer} REFERENCES account (id) ON DELETE SET NULL,
      merge_commit_id ${words},
      checked_base ${words},
      checked_head ${words},
      checked_ignoring_space ${flag(0)},
      is_conflicting ${flag(0)},
      additions ${number},
      deletions ${number},
      changed_files ${number},
      auto_merge ${words},
      auto_merge_by_id ${integer} REFERENCES account (id) ON DELETE SET NULL
    )`,
    `CREATE INDEX pull_request_by_base ON pull_request (repository_id, base_branch, issue_id)`,
    `CREATE INDEX pull_request_unmerged ON pull_request (repository_id, base_branch)
      WHERE is_merged = 0`,
    `CREATE INDEX pull_request_by_head ON pull_request (head_repository_id, head_branch)`,
    `CREATE INDEX pull_request_by_commit ON pull_request (repository_id, merge_commit_id)
      WHERE is_merged = 1`,
    `CREATE INDEX pull_request_by_merger ON pull_request (merged_by_id)`,
    `CREATE INDEX pull_request_scheduled ON pull_request (repository_id, head_commit_id)
      WHERE auto_merge <> ''`,
    `CREATE INDEX pull_request_by_scheduler ON pull_request (auto_merge_by_id)`,

    `CREATE TABLE review (
      id ${id},
      issue_id ${integer} NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
      reviewer_id ${integer} REFERENCES account (id) ON DELETE SET NULL,
      team_id ${integer} REFERENCES team (id) ON DELETE CASCADE,
      state ${text} NOT NULL,
      body ${words},
      commit_id ${words},
      is_stale ${flag(0)},
      is_official ${flag(0)},
      is_dismissed ${flag(0)},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )`,
    `CREATE INDEX review_by_issue ON review (issue_id, id)`,
    `CREATE INDEX review_by_reviewer ON review (reviewer_id, state)`,
    `CREATE INDEX review_by_team ON review (team_id, state)`,

    `CREATE TABLE review_comment (
      comment_id ${integer} NOT NULL PRIMARY KEY REFERENCES comment (id) ON DELETE CASCADE,
      review_id ${integer} NOT NULL REFERENCES review (id) ON DELETE CASCADE,
      path ${text} NOT NULL,
      old_line ${number},
      new_line ${number},
      commit_id ${text} NOT NULL,
      diff_hunk ${words},
      resolver_id ${integer} REFERENCES account (id) ON DELETE SET NULL
    )`,
    `CREATE INDEX review_comment_by_review ON review_comment (review_id, comment_id)`,
    `CREATE INDEX review_comment_by_resolver ON review_comment (resolver_id)`,
  ]
}
