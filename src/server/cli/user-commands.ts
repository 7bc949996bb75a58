import type { Context } from '../../platform/context.ts'
import { fromCommandLine } from '../../identity/auth/security-news.ts'
import { createToken } from '../../identity/auth/tokens.ts'
import {
  disableOneTimeCodes,
  disableSecondFactor,
  enableSecondFactor,
} from '../../identity/auth/second-factor.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { bind } from '../../platform/http/binding.ts'
import { hasSecondFactor, type Account } from '../../identity/users/account.ts'
import { createPerson } from '../../identity/users/create.ts'
import { changePassword } from '../../identity/users/edit.ts'
import { allPeople } from '../../identity/users/everybody.ts'
import { findByName } from '../../identity/users/load.ts'
import { removePerson } from '../../identity/users/remove.ts'
import { CreateUserOption } from '../../identity/users/schema.ts'
import type { Command, Invocation } from './command.ts'
import { formatTable } from './table.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

export const userCommands: readonly Command[] = [
  {
    name: 'user create',
    usage:
      '--name NAME --email ADDRESS --password PASSWORD [--admin] [--must-change-password] [--access-token [TOKEN_NAME]]',
    about:
      'Creates an account; "--password -" reads the password from standard input. The token, if asked for, is the last line of the output (gitea-admin unless named).',
    options: {
      name: text,
      email: text,
      password: text,
      admin: flag,
      'must-change-password': flag,
      'access-token': text,
    },
    // The name that clients expect of the token of a first administrator.
    unsaid: { 'access-token': 'gitea-admin' },
    run: createUser,
  },
  {
    name: 'user list',
    usage: '[--admin]',
    about: 'Lists all people, or the administrators among them.',
    options: { admin: flag },
    run: listUsers,
  },
  {
    name: 'user delete',
    usage: '--name NAME [--purge]',
    about: 'Deletes an account; --purge takes along what nobody else owns.',
    options: { name: text, purge: flag },
    run: deleteUser,
  },
  {
    name: 'user change-password',
    usage: '--name NAME --password PASSWORD [--must-change-password]',
    about: 'Sets a password; "--password -" reads it from standard input.',
    options: { name: text, password: text, 'must-change-password': flag },
    run: setPassword,
  },
  {
    name: 'user generate-access-token',
    usage: '--name NAME --token-name TOKEN_NAME [--scopes SCOPE,SCOPE]',
    about: 'Makes an access token and prints it; with all scopes unless some are named.',
    options: { name: text, 'token-name': text, scopes: text },
    run: generateToken,
  },
  {
    name: 'user enable-totp',
    usage: '--name NAME',
    about: 'Gives an account a second factor and prints the address for an authenticator app.',
    options: { name: text },
    run: enableTotp,
  },
  {
    name: 'user disable-totp',
    usage: '--name NAME',
    about: 'Takes the one-time codes away; security keys go on working.',
    options: { name: text },
    run: disableTotp,
  },
  {
    name: 'user disable-two-factor',
    usage: '--name NAME',
    about: 'Takes all second factors away, security keys too, for somebody who has lost them.',
    options: { name: text },
    run: disableTwoFactor,
  },
  {
    name: 'user unblock',
    usage: '--name NAME',
    about: 'Lets somebody sign in again after too many wrong passwords, without the wait.',
    options: { name: text },
    run: unblock,
  },
]

async function createUser(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const person = {
    username: invocation.required('name'),
    email: invocation.required('email'),
    password: await readPassword(invocation),
  }
  const tokenName = invocation.text('access-token')
  await invocation.withContext(async (ctx) => {
    bind(CreateUserOption, person)
    const account = await createPerson(ctx, {
      ...person,
      name: person.username,
      isAdmin: invocation.flag('admin'),
      mustChangePassword: invocation.flag('must-change-password'),
    })
    terminal.note(`Created ${account.name}${account.isAdmin ? ', an administrator' : ''}.`)
    if (tokenName !== undefined) {
      const { secret } = await createToken(ctx, account, { name: tokenName, scopes: ['all'] })
      terminal.out(secret)
    }
  })
}

async function listUsers(invocation: Invocation): Promise<void> {
  const people = await invocation.withContext((ctx) =>
    allPeople(ctx, { onlyAdmins: invocation.flag('admin') }),
  )
  const rows = people.map((person) => [
    String(person.id),
    person.name,
    person.email,
    yesOrNo(person.isActive && !person.prohibitLogin),
    yesOrNo(person.isAdmin),
    yesOrNo(hasSecondFactor(person)),
  ])
  const head = ['ID', 'NAME', 'EMAIL', 'ACTIVE', 'ADMIN', '2FA']
  for (const line of formatTable([head, ...rows])) invocation.terminal.out(line)
}

async function deleteUser(invocation: Invocation): Promise<void> {
  const name = invocation.required('name')
  await invocation.withContext(async (ctx) => {
    const account = await loadAccount(ctx, name)
    await removePerson(ctx, undefined, account, { purge: invocation.flag('purge') })
    invocation.terminal.note(`Deleted ${account.name}.`)
  })
}

async function setPassword(invocation: Invocation): Promise<void> {
  const name = invocation.required('name')
  const password = await readPassword(invocation)
  const mustChange = invocation.flag('must-change-password')
  await invocation.withContext(async (ctx) => {
    const account = await loadPerson(ctx, name)
    await changePassword(ctx, account, password, { mustChange, trace: fromCommandLine })
    invocation.terminal.note(`Changed the password of ${account.name}.`)
  })
}

async function generateToken(invocation: Invocation): Promise<void> {
  const owner = invocation.required('name')
  const name = invocation.required('token-name')
  const scopes = (invocation.text('scopes') ?? 'all').split(',').map((scope) => scope.trim())
  await invocation.withContext(async (ctx) => {
    const account = await loadPerson(ctx, owner)
    const wanted = { name, scopes }
    const { secret } = await createToken(ctx, account, wanted, undefined, fromCommandLine)
    invocation.terminal.out(secret)
  })
}

async function enableTotp(invocation: Invocation): Promise<void> {
  const name = invocation.required('name')
  await invocation.withContext(async (ctx) => {
    const address = await enableSecondFactor(ctx, await loadAccount(ctx, name), fromCommandLine)
    invocation.terminal.note('Put this address into an authenticator app, for example as QR code.')
    invocation.terminal.out(address)
  })
}

async function disableTotp(invocation: Invocation): Promise<void> {
  const name = invocation.required('name')
  await invocation.withContext(async (ctx) => {
    const account = await loadAccount(ctx, name)
    await disableOneTimeCodes(ctx, account, fromCommandLine)
    const left = account.securityKeys > 0 ? 'with a security key' : 'without a second factor'
    invocation.terminal.note(`${account.name} signs in ${left} now.`)
  })
}

async function disableTwoFactor(invocation: Invocation): Promise<void> {
  const name = invocation.required('name')
  await invocation.withContext(async (ctx) => {
    const account = await loadAccount(ctx, name)
    await disableSecondFactor(ctx, account, fromCommandLine)
    invocation.terminal.note(`${account.name} signs in without a second factor now.`)
  })
}

async function unblock(invocation: Invocation): Promise<void> {
  const name = invocation.required('name')
  await invocation.withContext(async (ctx) => {
    const account = await loadPerson(ctx, name)
    const wasCounted = await ctx.signInLimits.unblock(account)
    const before = wasCounted ? 'can sign in again' : 'was not blocked'
    invocation.terminal.note(`${account.name} ${before}.`)
  })
}

async function loadAccount(ctx: Context, name: string): Promise<Account> {
  const account = await findByName(ctx, name)
  if (!account) throw notFound(`there is no account ${name}`)
  return account
}

async function loadPerson(ctx: Context, name: string): Promise<Account> {
  const account = await loadAccount(ctx, name)
  if (account.kind === 'person') return account
  throw invalid(`${account.name} is an organization not a user`)
}

/**
 * `-` stands for standard input: what is typed as an option can be seen in the list of processes.
 */
async function readPassword(invocation: Invocation): Promise<string> {
  const given = invocation.required('password')
  if (given !== '-') return given
  const [line = ''] = (await invocation.terminal.readInput()).split(/\r?\n/)
  return line
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
