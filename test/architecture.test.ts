// One database is enough: none is used.
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { suite, test } from 'node:test'

/** From the ground up: an area imports itself and those before it. */
const areas = [
  'platform',
  'identity',
  'events',
  'repositories',
  'code',
  'collaboration',
  'delivery',
  'outbound',
  'protocols',
  'web',
  'server',
]

interface Import {
  readonly from: string
  readonly to: string
}

const files = globSync('src/**/*.ts').sort()

/** What is imported at run time: types are gone by then. */
function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8')
  const found = [...source.matchAll(/^(?:import|export) (?!type\b)([^']*?)from '(\.[^']+)'/gm)]
    .filter(([, names = '']) => !onlyTypes(names))
    .map(([, , path = '']) => path)
  const loaded = [...source.matchAll(/(?<!typeof )import\('(\.[^']+)'\)/g)].map(
    ([, path = '']) => path,
  )
  return [...found, ...loaded].map((path) => ({
    from: file,
    to: normalize(join(dirname(file), path)),
  }))
}

function onlyTypes(names: string): boolean {
  const braced = /\{([\s\S]*)\}/.exec(names)?.[1]
  if (braced === undefined) return false
  return braced.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
}

/** Above all of them for the programs themselves, `src/main.ts` and `src/admin.ts`. */
function rankOf(file: string): number {
  const [, area = '', ...rest] = file.split('/')
  return rest.length === 0 ? areas.length : areas.indexOf(area)
}

const imports = files.flatMap(importsOf)

suite('the architecture', () => {
  test('is eleven areas and two programs', () => {
    assert.deepEqual(readdirSync('src').toSorted(), [...areas, 'admin.ts', 'main.ts'].toSorted())
  })

  test('no area imports one above it', () => {
    const wrong = imports.filter(({ from, to }) => rankOf(to) > rankOf(from))

    assert.deepEqual(wrong, [])
  })

  test('nobody but its own folder imports a queries.ts', () => {
    const wrong = imports.filter(
      ({ from, to }) => to.endsWith('queries.ts') && dirname(from) !== dirname(to),
    )

    assert.deepEqual(wrong, [])
  })

  test('statuses are known to platform/http, protocols, web and route modules only', () => {
    const knowing = files.filter((file) => {
      if (/^src\/(platform\/http|protocols|web)\//.test(file)) return false
      if (/(routes|schema|as-page)\.ts$/.test(file)) return false
      return /\bstatus(Code)?\b\s*[:=(]\s*[1-5]\d\d\b/.test(readFileSync(file, 'utf8'))
    })

    assert.deepEqual(knowing, [])
  })

  test('comments are at most 100 columns wide', () => {
    const written = ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
      globSync(`${folder}/**/*.{ts,js,mjs}`),
    )
    const wide = written.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.length > 100 && /^\s*(?:\/\/|\/?\*)/.test(line))
        .map((line) => ({ file, line })),
    )

    assert.deepEqual(wide, [])
  })

  test('processes are started and sockets opened in the places made for it', () => {
    const allowed = /^src\/(platform\/git|platform\/network|protocols\/ssh)\//
    const wrong = files.filter(
      (file) =>
        !allowed.test(file) &&
        /from '(node:)?(child_process|http|https|net|tls|dgram)'|\bfetch\(/.test(
          readFileSync(file, 'utf8')
            .replace(/^import type .*$/gm, '')
            .replace(/import \{ isIPv6 \} from 'node:net'/, ''),
        ),
    )

    assert.deepEqual(wrong, [])
  })

  test('no page finds out from its message why something was refused', () => {
    const reading =
      /\bmessage\.(startsWith|endsWith|includes|match)\(|\.(test|exec|get|has)\((\w+\.)*message\)|\w\[(\w+\.)*message\]|\bmessage [!=]== (?!''|undefined)/
    const wrong = files.filter(
      (file) => file.startsWith('src/web/') && reading.test(readFileSync(file, 'utf8')),
    )

    assert.deepEqual(wrong, [])
  })

  test('no expression is put together from text where that is not what the operator wrote', () => {
    const wrong = files.filter(
      (file) =>
        file !== 'src/platform/network/policy.ts' && /\bRegExp\(/.test(readFileSync(file, 'utf8')),
    )

    assert.deepEqual(wrong, [])
  })

  test('no statement of SQL is put together from text outside the migrations', () => {
    const wrong = files.filter(
      (file) =>
        !/^src\/platform\/db\/(?:migrate|schema-drift)\.ts$/.test(file) &&
        /\bsql\.raw\b/.test(readFileSync(file, 'utf8')),
    )

    assert.deepEqual(wrong, [])
  })

  test('whatever deletes or changes rows says which, but for the doctor, who counts all of them anew', () => {
    const wrong = files
      .filter((file) => !/^src\/(server\/doctor|platform\/db\/migrations)\//.test(file))
      .flatMap((file) => changesOf(readFileSync(file, 'utf8')).map((change) => ({ file, change })))
      .filter(({ change }) => !/\.where|\bWHERE\b/.test(change))

    assert.deepEqual(wrong, [])
  })
})

/** Each from its beginning to where it is run, or to the end of its text. */
function changesOf(source: string): readonly string[] {
  const built = source.matchAll(/\.(?:deleteFrom|updateTable)\(.*?(?=\.execute|\.compile|\n\n)/gs)
  const written = source.matchAll(/\b(?:DELETE FROM|UPDATE) [a-z_]+[^`]*/g)
  return [...built, ...written].map(([text]) => text)
}

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
}

suite('the packages that we use', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  const locked = Object.entries(read('package-lock.json')['packages'] as Record<string, Locked>)
  const installed = locked.filter(([path]) => path !== '')

  test('are pinned to one version each, with the hash of what is installed', () => {
    const { dependencies, devDependencies, optionalDependencies } = read('package.json')
    const versions = Object.entries({
      ...(dependencies as object),
      ...(devDependencies as object),
      ...(optionalDependencies as object),
    })
    assert.deepEqual(
      versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version))),
      [],
    )
    assert.deepEqual(
      installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')),
      [],
    )
  })

  test('run nothing at their installation, but for those that are known to', () => {
    const running = installed
      .filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)
      .map(([path]) => path)

    assert.deepEqual(running, ['node_modules/cpu-features', 'node_modules/ssh2'])
  })
})
