import type { Words } from './index.ts'

export const name = '0003-issues'

export function statements({ id, integer, text }: Words): readonly string[] {
  const flag = `${integer} NOT NULL DEFAULT 0`
  const number = `${integer} NOT NULL DEFAULT 0`
  const words = `${text} NOT NULL DEFAULT ''`
  const account = `${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE`
  const author = `${integer} REFERENCES account (id) ON DELETE SET NULL`
  const repository = `${integer} NOT NULL REFERENCES repository (id) ON DELETE CASCADE`
  const issue = `${integer} NOT NULL REFERENCES issue (id) ON DELETE CASCADE`
  return [
    `ALTER TABLE repository ADD COLUMN last_issue_number ${number}`,

    `CREATE TABLE milestone (
      id ${id},
      repository_id ${repository},
      title ${words},
      lower_title ${words},
      description ${words},
      is_closed ${flag},
      closed_at ${number},
      due_at ${number},
      open_issues_count ${number},
      closed_issues_count ${number},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )`,
    `CREATE INDEX milestone_by_repository ON milestone (repository_id, is_closed, due_at)`,
    `CREATE INDEX milestone_by_title ON milestone (substr(title, 1, 100))`,

    `CREATE TABLE issue (
      id ${id},
      repository_id ${repository},
      number ${integer} NOT NULL,
      is_pull ${flag},
      author_id ${author},
      title ${text} NOT NULL,
      body ${words},
      lower_text ${words},
      ref ${words},
      milestone_id ${integer} REFERENCES milestone (id) ON DELETE SET NULL,
      is_closed ${flag},
      closed_at ${number},
      due_at ${number},
      is_locked ${flag},
      lock_reason ${words},
      comments_count ${number},
      time_estimate ${number},
      pin_order ${number},
      content_version ${number},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (repository_id, number)
    )`,
    // Beside their order these have what lists are narrowed by: rows are long, and none is fetched
    // but those of a page.
    `CREATE INDEX issue_by_creation ON issue
      (repository_id, created_at, id, is_pull, author_id, milestone_id, updated_at)`,
    `CREATE INDEX issue_by_state ON issue
      (repository_id, is_closed, created_at, id, is_pull, author_id, milestone_id, updated_at, comments_count)`,
    `CREATE INDEX issue_by_time ON issue (created_at, id, is_closed, is_pull, repository_id)`,
    `CREATE INDEX issue_pinned ON issue (repository_id, is_pull, pin_order) WHERE pin_order > 0`,
    `CREATE INDEX issue_by_milestone ON issue (milestone_id)`,
    `CREATE INDEX issue_by_author ON issue (author_id)`,

    `CREATE TABLE comment (
      id ${id},
      issue_id ${issue},
      repository_id ${integer},
      author_id ${author},
      kind ${text} NOT NULL DEFAULT 'comment',
      body ${words},
      lower_text ${words},
      details ${text} NOT NULL DEFAULT '{}',
      ref_issue_id ${integer} REFERENCES issue (id) ON DELETE CASCADE,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      CHECK ((repository_id IS NOT NULL) = (kind = 'comment'))
    )`,
    `CREATE UNIQUE INDEX comment_reference ON comment (issue_id, ref_issue_id) WHERE ref_issue_id IS NOT NULL`,
    `CREATE INDEX comment_by_source ON comment (ref_issue_id) WHERE ref_issue_id IS NOT NULL`,
    `CREATE INDEX comment_by_issue ON comment (issue_id, created_at, id)`,
    `CREATE INDEX comment_by_repository ON comment (repository_id, created_at, id, updated_at, issue_id)
      WHERE repository_id IS NOT NULL`,
    `CREATE INDEX comment_by_author ON comment (author_id)`,

    `CREATE TABLE issue_label (
      issue_id ${issue},
      label_id ${integer} NOT NULL REFERENCES label (id) ON DELETE CASCADE,
      PRIMARY KEY (issue_id, label_id)
    )`,
    `CREATE INDEX issue_label_by_label ON issue_label (label_id)`,

    `CREATE TABLE issue_assignee (
      issue_id ${issue},
      account_id ${account},
      PRIMARY KEY (issue_id, account_id)
    )`,
    `CREATE INDEX issue_assignee_by_account ON issue_assignee (account_id)`,

    `CREATE TABLE issue_mention (
      issue_id ${issue},
      account_id ${account},
      PRIMARY KEY (issue_id, account_id)
    )`,
    `CREATE INDEX issue_mention_by_account ON issue_mention (account_id)`,

    `CREATE TABLE issue_dependency (
      issue_id ${issue},
      depends_on_id ${issue},
      created_at ${integer} NOT NULL,
      PRIMARY KEY (issue_id, depends_on_id)
    )`,
    `CREATE INDEX issue_dependency_by_other ON issue_dependency (depends_on_id)`,

    `CREATE TABLE issue_subscription (
      issue_id ${issue},
      account_id ${account},
      is_subscribed ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (issue_id, account_id)
    )`,
    `CREATE INDEX issue_subscription_by_account ON issue_subscription (account_id)`,

    `CREATE TABLE reaction (
      id ${id},
      issue_id ${issue},
      comment_id ${integer} REFERENCES comment (id) ON DELETE CASCADE,
      account_id ${account},
      content ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )`,
    `CREATE UNIQUE INDEX reaction_to_issue ON reaction (issue_id, account_id, content)
      WHERE comment_id IS NULL`,
    `CREATE UNIQUE INDEX reaction_to_comment ON reaction (comment_id, account_id, content)
      WHERE comment_id IS NOT NULL`,
    `CREATE INDEX reaction_by_issue ON reaction (issue_id)`,
    `CREATE INDEX reaction_by_comment ON reaction (comment_id)`,
    `CREATE INDEX reaction_by_account ON reaction (account_id)`,

    `CREATE TABLE tracked_time (
      id ${id},
      issue_id ${issue},
      account_id ${account},
      seconds ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )`,
    `CREATE INDEX tracked_time_by_issue ON tracked_time (issue_id)`,
    `CREATE INDEX tracked_time_by_account ON tracked_time (account_id, created_at, id, issue_id)`,

    `CREATE TABLE stopwatch (
      account_id ${account},
      issue_id ${issue},
      started_at ${integer} NOT NULL,
      PRIMARY KEY (account_id, issue_id)
    )`,
    `CREATE INDEX stopwatch_by_issue ON stopwatch (issue_id)`,

    `CREATE TABLE notification (
      id ${id},
      account_id ${account},
      issue_id ${issue},
      repository_id ${integer} NOT NULL,
      is_pull ${integer} NOT NULL,
      status ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (account_id, issue_id)
    )`,
    // Beside their order it has what they are narrowed and counted by: a far page and the total
    // fetch no rows.
    `CREATE INDEX notification_by_time ON notification
      (account_id, updated_at, id, status, repository_id, is_pull)`,
    `CREATE INDEX notification_by_issue ON notification (issue_id)`,
    `CREATE INDEX notification_by_status ON notification (account_id, status)`,

    `ALTER TABLE activity ADD COLUMN issue_id ${integer} REFERENCES issue (id) ON DELETE CASCADE`,
    `ALTER TABLE activity ADD COLUMN comment_id ${integer}
      REFERENCES comment (id) ON DELETE CASCADE`,
    `CREATE INDEX activity_by_issue ON activity (issue_id)`,
    `CREATE INDEX activity_by_comment ON activity (comment_id)`,
  ]
}
