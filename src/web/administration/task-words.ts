const sentences: Readonly<Record<string, string>> = {
  start_schedule_tasks: 'Starts the workflows of repositories that are due',
  resume_webhooks: 'Sends again what receivers of webhooks have not taken',
  update_mirrors: 'Brings mirrors up to date whose time has come',
  forget_expired_credentials: 'Forgets sessions, codes and grants that work no longer',
  forget_old_deliveries: 'Forgets what was sent to webhooks long ago',
  forget_idempotency_keys: 'Forgets which calls of the API were made once and for all',
  expire_uploads: 'Removes uploads that were begun and never ended',
  git_gc_repos: 'Packs repositories, and removes what nothing leads to in them',
  sweep_repository_folders:
    'Moves folders that belong to no repository to the trash, and removes what git could not finish in others',
  sweep_avatars: 'Moves pictures that nobody has to the trash',
  sweep_lfs: 'Moves large files that no repository has to the trash',
  sweep_packages: 'Moves files that belong to no package to the trash',
  sweep_attachments: 'Moves files that belong to nothing to the trash',
  sweep_archives: 'Moves archives that no repository has to the trash',
  empty_trash: 'Removes what has been in the trash for long enough',
}

/** What a task does, beside the name by which the API knows it. */
export function sentenceOf(name: string): string {
  const [, subject] = /^check_(.+)$/.exec(name) ?? []
  if (subject !== undefined) return `Checks ${subject.replaceAll('_', ' ')}, and mends nothing`
  return sentences[name] ?? ''
}
