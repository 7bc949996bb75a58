import { ownUnits, unitKeys } from '../units.ts'
import {
  address,
  boolean,
  databaseUrl,
  duration,
  integer,
  list,
  mailbox,
  mailUrl,
  oneOf,
  secret,
  size,
  text,
} from './setting.ts'
import {
  host,
  isOrigin,
  isPort,
  isProxy,
  isToken,
  listOfFit,
  listOfSome,
  textLike,
} from './setting-lists.ts'

const any = { min: 0, max: Number.MAX_SAFE_INTEGER }
const limit = { min: -1, max: Number.MAX_SAFE_INTEGER }
const builtIn = ['git-credential-oauth', 'git-credential-manager', 'tea']
/** Git refuses some others, too; these are the ones that people type. */
const branchName =
  /^(?![-./])(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\p{C}\s~^:?*[\\]+(?<![./])$/u
const attachmentTypes =
  '.avif,.cpuprofile,.csv,.dmp,.docx,.fodg,.fodp,.fods,.fodt,.gif,.gz,.jpeg,.jpg,.json,.jsonc,.log,.md,.mov,' +
  '.mp4,.odf,.odg,.odp,.ods,.odt,.patch,.pdf,.png,.pptx,.svg,.tgz,.txt,.webm,.webp,.xls,.xlsx,.zip'

/**
 * Everything that can be configured. A key `port` in the section `server` is `port` under
 * `[server]` in codestead.toml and CODESTEAD_SERVER_PORT in the environment; the environment wins.
 */
export const settings = {
  server: {
    host: host('127.0.0.1', 'Address to listen on.'),
    port: integer(3000, { min: 0, max: 65535 }, 'Port to listen on.'),
    workers: integer(
      1,
      { min: 0, max: 256 },
      'Processes that serve the port together; 0 for one on each core. Limits on connections, git processes and jobs at once are those of each.',
    ),
    url: address('', 'Public base URL, used in every link; http://host:port when empty.'),
    files_url: address(
      '',
      'Root URL of another host that leads to this server: browsers are shown uploaded and pushed files from there, without cookies.',
    ),
    trusted_proxies: listOfFit(
      isProxy,
      [],
      'IP addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal',
      'Addresses of reverse proxies whose X-Forwarded-For is believed, and whose word proxy_login takes; nobody else is.',
    ),
    gzip: boolean(
      false,
      'Compress answers for clients that ask for it; a reverse proxy usually does.',
    ),
    robots: text(
      '',
      'What /robots.txt tells crawlers; when empty, to leave alone what a repository has countless pages of.',
    ),
    drain: duration(
      '0s',
      'How long the server goes on answering after SIGTERM while /api/readyz fails: as long as a load balancer takes to notice.',
    ),
    stop_timeout: duration('30s', 'How long requests may take to finish when the server stops.'),
    header_timeout: duration('20s', 'How long a client may take to send its request headers.'),
    idle_timeout: duration('60s', 'How long a connection may stay silent.'),
    cache_memory: size(
      '0',
      'About what each process keeps in memory to have it again; 0 for a thirty-second of the memory of the machine, between 16 and 64 MiB.',
    ),
    connections_per_address: integer(
      1000,
      any,
      'Connections of one address at once; 0 for any number. Trusted proxies and this machine are not counted.',
    ),
  },
  database: {
    url: databaseUrl('PostgreSQL to use; SQLite in the data folder when empty.'),
    pool_size: integer(10, { min: 1, max: 1000 }, 'Connections to PostgreSQL.'),
    connect_timeout: duration(
      '5s',
      'How long PostgreSQL may take to answer a new connection; where it does not, nobody waits for it any longer.',
    ),
    readers: integer(
      2,
      { min: 1, max: 16 },
      'Reading connections to SQLite, beside the one that writes.',
    ),
    busy_timeout: duration(
      '10s',
      'How long a write waits for another process on the same SQLite file.',
    ),
  },
  log: {
    level: oneOf(
      ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      'info',
      'The least severe messages to write.',
    ),
    requests: boolean(true, 'Write a line for each request.'),
  },
  metrics: {
    enabled: boolean(true, 'Serve figures for Prometheus at /metrics.'),
    token: secret('When set, /metrics asks for it as a bearer token.'),
  },
  api: {
    default_paging_num: integer(
      30,
      { min: 1, max: 1000 },
      'Items on a page when no limit is asked for.',
    ),
    max_response_items: integer(50, { min: 1, max: 1000 }, 'Items on a page at most.'),
    default_git_trees_per_page: integer(1000, any, 'Entries on a page of a git tree.'),
    default_max_blob_size: size('10MiB', 'Largest file whose content is put into a record.'),
    default_max_response_size: size('100MiB', 'Largest answer that carries several files.'),
    max_body_size: size('2MiB', 'Largest JSON or form body.', { min: '1KiB', max: '1GiB' }),
    swagger: boolean(true, 'Serve the description of the API and its reference page.'),
  },
  cors: {
    enabled: boolean(false, 'Let browsers on other origins call the API.'),
    allow_origins: listOfFit(
      isOrigin,
      ['*'],
      '* or origins such as https://app.example.org',
      'Origins that may call.',
    ),
    allow_methods: listOfFit(
      isToken,
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      'methods',
      'Methods they may use.',
    ),
    allow_headers: listOfFit(
      isToken,
      ['Authorization', 'X-Gitea-OTP', 'Content-Type', 'User-Agent'],
      'names of headers',
      'Request headers they may send.',
    ),
    allow_credentials: boolean(
      false,
      'Let browsers send credentials; never together with the origin *.',
    ),
    max_age: duration('10m', 'How long a browser may keep the answer to a preflight.'),
  },
  security: {
    secret_key: secret(
      'At least 32 characters that all nodes share; made and kept in the data folder when empty.',
    ),
    min_password_length: integer(6, { min: 1, max: 256 }, 'Shortest password.'),
    password_memory: size('64MiB', 'Memory to hash a password with.', {
      min: '64KiB',
      max: '4GiB',
    }),
    password_passes: integer(1, { min: 1, max: 100 }, 'Passes over that memory.'),
    require_sign_in: oneOf(
      ['false', 'true', 'expensive'],
      'false',
      'true: nothing is shown to anonymous callers; expensive: costly web pages only.',
    ),
    basic_password: boolean(
      true,
      'Accept a password in Basic authentication; tokens always work there.',
    ),
    query_tokens: boolean(
      true,
      'Accept a token in the query; deprecated, and answered with a warning.',
    ),
    sudo_scope: boolean(
      false,
      'A token of an administrator acts for others only when it has a scope of admin.',
    ),
    email_confirmation: boolean(
      false,
      'Who signs up, or adds an address, confirms it by a link that is mailed there; until then a new account cannot be used. Needs mail.url.',
    ),
    require_two_factor: boolean(
      false,
      'Accounts without a second factor have no access to repositories.',
    ),
    failures_per_address: integer(
      100,
      { min: 1, max: 1_000_000 },
      'Wrong passwords from one address within address_window.',
    ),
    address_window: duration('5m', 'Time in which wrong passwords of an address are counted.', {
      min: '1s',
    }),
    failures_per_account: integer(
      50,
      { min: 1, max: 1_000_000 },
      'Wrong passwords for one account within account_window.',
    ),
    account_window: duration('15m', 'Time in which wrong passwords of an account are counted.', {
      min: '1s',
    }),
  },
  proxy_login: {
    web: boolean(
      false,
      'Pages are signed in by headers of a proxy in server.trusted_proxies, and of nobody else.',
    ),
    api: boolean(false, 'The same for the API.'),
    user_header: text('X-WEBAUTH-USER', 'Header with the name of an account.'),
    email_header: text('X-WEBAUTH-EMAIL', 'Header with an e-mail address.'),
    full_name_header: text('X-WEBAUTH-FULLNAME', 'Header with a full name.'),
    auto_registration: boolean(false, 'Names that are not known yet get an account.'),
    email: boolean(
      false,
      'The e-mail address counts: for new accounts, and to find those whom the name does not, by their primary address.',
    ),
    full_name: boolean(false, 'New accounts have the full name of the header.'),
  },
  openid: {
    issuer: address(
      '',
      'OpenID Connect provider that people can sign in by, as it calls itself; none when empty. Https, unless it is on this machine.',
    ),
    client_id: text('', 'What the provider calls this server.'),
    client_secret: secret('What this server proves itself with there.'),
    label: text('OpenID Connect', 'What people are told that they sign in with.'),
    scopes: list(['profile', 'email'], 'What the provider is asked for, beside openid.'),
    at_once: boolean(
      false,
      'Who signs in is led to the provider at once; the form for passwords is at /user/login?with=password then.',
    ),
    auto_registration: boolean(
      false,
      'Who has no account yet gets one, with the name and e-mail address that the provider tells.',
    ),
    trust_email: boolean(
      false,
      'Who comes with an e-mail address that the provider has verified is let into the account whose primary address it is.',
    ),
  },
  oauth2: {
    enabled: boolean(
      true,
      'Other programs sign people in and act for them, as far as these consent.',
    ),
    access_token_lifetime: duration('1h', 'How long a token of such a program can be used.', {
      min: '1m',
    }),
    refresh_token_lifetime: duration(
      '730h',
      'How long such a program gets further tokens without asking anybody.',
      { min: '1h' },
    ),
    built_in_applications: listOfSome(
      builtIn,
      builtIn,
      'Programs that are known without being registered.',
    ),
  },
  users: {
    default_visibility: oneOf(
      ['public', 'limited', 'private'],
      'public',
      'Visibility of new accounts.',
    ),
    hide_email: boolean(false, 'New accounts hide their e-mail address.'),
    no_reply_domain: host('', 'Domain of placeholder addresses; noreply. and the host when empty.'),
    create_organizations: boolean(true, 'New accounts may create organizations.'),
    restricted: boolean(false, 'New accounts are restricted.'),
    manage_emails: boolean(true, 'Accounts may add and remove their e-mail addresses.'),
    explore_requires_sign_in: boolean(false, 'Looking people up needs a signed-in caller.'),
    reserved_name_days: integer(
      0,
      { min: 0, max: 36_500 },
      'Days for which nobody else gets the name of an account that was deleted or renamed; 90 are wise where people sign up themselves.',
    ),
    sign_up: boolean(
      false,
      'Anybody may create an account at /user/sign_up; on an empty server, its first administrator.',
    ),
  },
  organizations: {
    default_visibility: oneOf(
      ['public', 'limited', 'private'],
      'public',
      'Visibility of new organizations.',
    ),
    creation: boolean(true, 'People other than administrators may create organizations.'),
  },
  repositories: {
    force_private: boolean(false, 'New repositories are private; only administrators publish.'),
    default_branch: textLike(
      branchName,
      'main',
      'the name of a branch',
      'Branch of a new repository.',
    ),
    default_object_format: oneOf(['sha1', 'sha256'], 'sha1', 'Object format of a new repository.'),
    disabled_units: listOfSome(unitKeys, [], 'Units that no repository has.'),
    default_units: listOfSome(ownUnits, ownUnits, 'Units of a new repository.'),
    default_mirror_units: listOfSome(
      ownUnits,
      ownUnits.filter((unit) => !['repo.pulls', 'repo.actions'].includes(unit)),
      'Units of a new mirror.',
    ),
    default_template_units: listOfSome(
      ownUnits,
      ownUnits.filter((unit) => unit !== 'repo.actions'),
      'Units of a new template.',
    ),
    default_fork_units: listOfSome(ownUnits, ['repo.code', 'repo.pulls'], 'Units of a new fork.'),
    max_per_user: integer(-1, limit, 'Repositories a person may own; -1 for any number.'),
    max_per_organization: integer(
      -1,
      limit,
      'Repositories an organization may own; -1 for any number.',
    ),
    auto_watch: boolean(
      true,
      'Who creates a repository watches it, and so do members of teams that have or get it.',
    ),
    time_tracking: boolean(true, 'Trackers of new repositories track time.'),
    only_contributors_track_time: boolean(
      true,
      'In new repositories only contributors track time.',
    ),
    issue_dependencies: boolean(true, 'Trackers of new repositories have dependencies.'),
    default_merge_style: oneOf(
      ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only'],
      'merge',
      'Merge style of new repositories.',
    ),
    default_merge_description: boolean(
      false,
      'The merge form proposes the description of a pull request as the message of a merge commit.',
    ),
    delete_branch_after_merge: boolean(false, 'New repositories delete a branch after its merge.'),
    stars: boolean(true, 'Repositories can be starred.'),
    http_git: boolean(true, 'Git over HTTP is served.'),
    push_to_create_user: boolean(
      false,
      'A push to an unknown repository of the caller creates it.',
    ),
    push_to_create_organization: boolean(false, 'The same in organizations.'),
    max_refs: integer(
      100_000,
      { min: 1, max: 10_000_000 },
      'Branches, tags and notes of a repository that pushes may add to.',
    ),
    strict_redirects: boolean(
      true,
      'The old name of a repository is free only to administrators of the new one and to the owner of the name.',
    ),
    organization_issue_templates: boolean(
      false,
      'Repositories without issue templates use those of the .gitea repository of their organization.',
    ),
    feed_commits: integer(5, { min: 0, max: 100 }, 'Commits kept in an activity.'),
    migrations: boolean(true, 'Repositories can be migrated from elsewhere.'),
  },
  git: {
    memory: size(
      '4GiB',
      'Memory that git may take at once for one request or one task, with all that it starts; 0 for any.',
    ),
    push_time: duration(
      '30m',
      'Time of a processor that git may take for one push; for one under 1 MiB, a thirtieth of it; 0s for any.',
    ),
  },
  mirror: {
    enabled: boolean(true, 'Mirrors can be created.'),
    min_interval: duration('10m', 'Shortest time between two synchronisations.', { min: '1m' }),
    default_interval: duration('8h', 'Time between two synchronisations of a new mirror.'),
    at_once: integer(
      4,
      { min: 1, max: 100 },
      'Mirrors and migrations that a node works on at once.',
    ),
    per_host: integer(
      2,
      { min: 1, max: 100 },
      'Mirrors that are synchronised with one host at once.',
    ),
    time_limit: duration('1h', 'How long a migration or a synchronisation may take.', {
      min: '1s',
    }),
    max_size: size('10GiB', 'Largest repository to migrate or mirror; 0 for any size.'),
  },
  storage: {
    kind: oneOf(
      ['disk', 's3'],
      'disk',
      'Where attachments, LFS objects, packages and avatars are kept: in the data folder, or in a bucket of an S3-compatible service.',
    ),
    endpoint: address('', 'Address of the service; that of Amazon for the region when empty.'),
    bucket: textLike(/^[\w.-]+$/, '', 'the name of a bucket', 'Bucket; it must exist.'),
    region: textLike(/^[\w-]+$/, 'us-east-1', 'the name of a region', 'Region of the bucket.'),
    access_key: text('', 'Access key.'),
    secret_key: secret('Secret key.'),
    path_style: boolean(false, 'The bucket is part of the path and not of the host name.'),
    prefix: text('', 'What the keys of all objects begin with.'),
    redirect: boolean(
      false,
      'Downloads that are safe there are led to the bucket itself, by signed addresses that hold for five minutes; clients have to reach it.',
    ),
    public_endpoint: address(
      '',
      'Address of the service for those who are led to it; that of endpoint when empty.',
    ),
    timeout: duration('15s', 'How long the service may be silent; it is asked twice.'),
    reserve: size(
      '1GiB',
      'Space that uploads and pushes leave free on the disk, and no more than a twentieth of it; 0 for none.',
    ),
    trash_days: integer(
      14,
      any,
      'Days for which what a sweep takes stays in the trash, from where it can be restored.',
    ),
  },
  archives: {
    max_room: size(
      '1GiB',
      'Room in the storage for archives of commits that were asked for more than once; the longest unused go first; 0 to pack each archive anew.',
    ),
  },
  quota: {
    per_repository: size('0', 'Git, attachments and LFS objects of a repository; 0 for any size.'),
    per_owner: size(
      '0',
      'Git, attachments and LFS objects of all repositories of an owner; 0 for any size.',
    ),
  },
  budgets: {
    creations: integer(
      0,
      any,
      'Repositories that an account may create, generate or migrate in an hour, administrators apart; 0 for any number.',
    ),
    forks: integer(0, any, 'The same for forks.'),
    stars: integer(0, any, 'The same for stars.'),
  },
  activity: {
    max_entries: integer(
      100_000,
      { min: 100, max: 10_000_000 },
      'Entries that the activity feed of a repository keeps; for all repositories of an owner four times as many. The oldest are deleted first.',
    ),
    max_room: size(
      '64MiB',
      'Room in the database that these entries may take; for all repositories of an owner four times as much. The oldest are deleted first.',
    ),
  },
  notifications: {
    max_kept: integer(
      10_000,
      { min: 100, max: 1_000_000 },
      'Notifications that are kept for an account. Read ones are deleted first, the oldest before others; pinned ones are kept.',
    ),
  },
  attachment: {
    enabled: boolean(true, 'Issues, comments and releases take attachments.'),
    allowed_types: text(
      attachmentTypes,
      'Extensions and media types of issue attachments; all when empty.',
    ),
    max_size: size('100MiB', 'Largest issue attachment.'),
    max_files: integer(5, any, 'Number of files that user interfaces offer to attach at once.'),
    show_svg: boolean(
      true,
      'Browsers show SVG files; otherwise they save those that were uploaded, and show those of repositories as text.',
    ),
    show_others: boolean(
      true,
      'Browsers show uploaded files of all types; otherwise they save all but pictures, sound, video and PDF.',
    ),
  },
  release: {
    allowed_types: text('', 'Extensions and media types of release attachments; all when empty.'),
    max_size: size('2GiB', 'Largest release attachment.'),
  },
  lfs: {
    enabled: boolean(true, 'Serve Git LFS.'),
    max_file_size: size('0', 'Largest file; 0 for any size.'),
    max_batch_size: integer(1000, any, 'Files asked for at once; 0 for any number.'),
    locks_per_page: integer(50, { min: 1, max: 1000 }, 'Locks listed at once.'),
  },
  packages: {
    max_file_size: size('0', 'Largest file of a package; 0 for any size.'),
  },
  ssh: {
    enabled: boolean(false, 'Serve git over SSH.'),
    user: textLike(/^[\w.-]+$/, 'git', 'a user name', 'User name in SSH addresses.'),
    host: host('', 'Host in SSH addresses; that of the public URL when empty.'),
    port: integer(22, { min: 1, max: 65535 }, 'Port in SSH addresses.'),
    listen_host: host('', 'Address to listen on for SSH; that of the server when empty.'),
    listen_port: integer(
      0,
      { min: 0, max: 65535 },
      'Port to listen on for SSH; that of SSH addresses when 0.',
    ),
    max_connections: integer(200, { min: 1, max: 100_000 }, 'SSH connections at once.'),
    per_address: integer(50, { min: 1, max: 100_000 }, 'How many of them from one address.'),
    sign_in_timeout: duration('20s', 'How long an SSH client may take to sign in.', { min: '1s' }),
    idle_timeout: duration('60s', 'How long an SSH connection may stay without a command.', {
      min: '1s',
    }),
  },
  network: {
    allow_private: boolean(
      false,
      'Mirrors, migrations and webhooks may reach loopback and private addresses.',
    ),
    allow_hosts: list(
      [],
      'Hosts (* for any part), CIDR ranges, or the words private and loopback, that they may reach besides.',
    ),
    block_hosts: list([], 'The same for what they never reach, whatever else allows it.'),
    ports: listOfFit(
      isPort,
      [],
      'ports from 1 to 65535',
      'Ports that they may reach; any when empty.',
    ),
  },
  jobs: {
    nightly_at: textLike(
      /^(?:[01]\d|2[0-3]):[0-5]\d$/,
      '',
      'a time of day such as 02:30',
      'When the daily tasks (garbage collection, sweeps) begin, one after the other within an hour, in the time zone of the server (TZ); a day after their last run when empty.',
    ),
    lease: duration(
      '30s',
      'How long work is left to a process that does not say any more that it lives.',
      { min: '3s' },
    ),
  },
  webhooks: {
    max_per_owner: integer(
      50,
      any,
      'Webhooks that a repository, an account or the system may have.',
    ),
    timeout: duration('10s', 'How long a receiver may take.'),
    at_once: integer(
      32,
      { min: 1, max: 1000 },
      'Webhooks that are delivered to at once by a process.',
    ),
    per_host: integer(4, { min: 1, max: 1000 }, 'How many of them at one host.'),
    retry_for: duration('72h', 'How long a delivery that fails is tried again.'),
    keep: duration('168h', 'How long the record of a delivery is kept.'),
    max_deliveries: integer(
      20_000,
      { min: 100, max: 1_000_000 },
      'Deliveries that are kept of what happens in one repository, waiting ones too; of all of an owner four times as many. The oldest go first.',
    ),
    max_room: size(
      '64MiB',
      'Room in the database that they may take, with the answers to them; for all of an owner four times as much. The oldest go first.',
    ),
  },
  mail: {
    url: mailUrl('Server that takes mail, as smtp:// or smtps://; when empty, no mail is sent.'),
    from: mailbox(
      'Whom mail is from, such as Codestead <codestead@example.org>; noreply at the host of the public URL when empty.',
    ),
    tls: oneOf(
      ['required', 'none'],
      'required',
      'required: an smtp:// server has to offer STARTTLS, with a certificate that is trusted; none: mail and password go to it unencrypted.',
    ),
    at_once: integer(2, { min: 1, max: 100 }, 'Connections to that server at once by a process.'),
    timeout: duration('30s', 'How long that server may stay silent.', { min: '1s' }),
    retry_for: duration('24h', 'How long a mail that fails is tried again.'),
    codes_per_hour: integer(
      5,
      { min: 1, max: 1000 },
      'Mails to set a password or confirm an address that may be asked for in an hour, for each address.',
    ),
    max_per_repository: integer(
      10_000,
      any,
      'Notification mails that a repository may cause in an hour; all repositories of an owner four times as many. Notifications on pages are not limited. 0 for any number.',
    ),
  },
  ui: {
    default_theme: text('gitea-auto', 'Theme of new accounts.'),
    reactions: list(
      ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'],
      'Reactions to issues and comments.',
    ),
    custom_emojis: list(
      ['git', 'gitea', 'codeberg', 'gitlab', 'github', 'gogs'],
      'Emojis beyond Unicode.',
    ),
  },
  time_tracking: {
    enabled: boolean(true, 'Time can be tracked on issues, where a repository allows it.'),
  },
  federation: {
    enabled: boolean(false, 'Describe this server at /nodeinfo.'),
  },
}
