// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { WeighedCache } from '../../../src/platform/caches/weighed-cache.ts'
import { readConfig } from '../../../src/collaboration/issue-templates/config.ts'
import { TemplateError } from '../../../src/collaboration/issue-templates/error.ts'
import { parseTemplate } from '../../../src/collaboration/issue-templates/template.ts'
import { YamlError } from '../../../src/platform/parsing/yaml.ts'
import { form, markdown, randomText } from './support.ts'

/** What is wrong with a file; empty when nothing is. */
async function problemOf(path: string, text: string): Promise<string> {
  try {
    await parseTemplate(path, text)
    return ''
  } catch (error) {
    assert.ok(error instanceof TemplateError || error instanceof YamlError, String(error))
    return error.message
  }
}

const field = (type: string, attributes: string, rest = '') =>
  form(`{type: ${type}, id: a, attributes: {${attributes}}${rest}}`)
const box = (option: string) => field('checkboxes', `label: L, options: [{${option}}]`)

suite('a form', () => {
  test('says what is wrong with it in the words of the contract', async () => {
    const cases: readonly (readonly [string, string])[] = [
      ['about: a\nbody: [{type: input}]', "'name' is required"],
      ['name: " "\nabout: a\nbody: [{type: input}]', "'name' is required"],
      ['name: n\nbody: [{type: input}]', "'about' is required"],
      ['name: n\nabout: a', "'body' is required"],
      ['name: n\nabout: a\nbody: []', "'body' is required"],
      [form('{type: video, attributes: {label: L}}'), 'body[0](video): unknown type'],
      [
        form('{type: input, id: "a b", attributes: {label: L}}'),
        "body[0](input): 'id' should contain only alphanumeric, '-' and '_'",
      ],
      [
        form('{type: input, id: a, attributes: {label: L}}', '{type: textarea, id: a}'),
        "body[1](textarea): 'id' should be unique",
      ],
      [form('{type: input, id: a}'), "body[0](input): 'label' is required"],
      [field('input', 'label: " "'), "body[0](input): 'label' is required"],
      [field('input', 'label: 5'), "body[0](input): 'label' should be a string"],
      [field('markdown', 'label: L'), "body[0](markdown): 'value' is required"],
      [field('markdown', 'value: ""'), "body[0](markdown): 'value' is required"],
      [field('markdown', 'value: [a]'), "body[0](markdown): 'value' should be a string"],
      [
        field('textarea', 'label: L, description: d, placeholder: 1'),
        "body[0](textarea): 'placeholder' should be a string",
      ],
      [
        field('textarea', 'label: L, description: d, placeholder: p, value: v, render: true'),
        "body[0](textarea): 'render' should be a string",
      ],
      [
        field('input', 'label: L, description: 1'),
        "body[0](input): 'description' should be a string",
      ],
      [
        field('input', 'label: L', ', validations: {is_number: 1}'),
        "body[0](input): 'is_number' should be a bool",
      ],
      [
        field('input', 'label: L', ', validations: {regex: 1}'),
        "body[0](input): 'regex' should be a string",
      ],
      [
        field('input', 'label: L', ', validations: {required: "true"}'),
        "body[0](input): 'required' should be a bool",
      ],
      [
        field('input', 'label: L', ', validations: {required: true}, visible: [content]'),
        'body[0](input): can not require a hidden field',
      ],
      [
        field('dropdown', 'label: L'),
        "body[0](dropdown): 'options' is required and should be an array",
      ],
      [
        field('dropdown', 'label: L, description: 1, multiple: 1'),
        "body[0](dropdown): 'description' should be a string",
      ],
      [
        field('dropdown', 'label: L, options: a'),
        "body[0](dropdown): 'options' is required and should be an array",
      ],
      [
        field('dropdown', 'label: L, options: [a], multiple: 1'),
        "body[0](dropdown): 'multiple' should be a bool",
      ],
      [
        field('dropdown', 'label: L, options: [a], list: x'),
        "body[0](dropdown): 'list' should be a bool",
      ],
      [
        field('dropdown', 'label: L, options: [a, 2]'),
        'body[0](dropdown), option[1]: should be a string',
      ],
      [
        field('dropdown', 'label: L, options: [a], default: a'),
        "body[0](dropdown): 'default' should be an int",
      ],
      [
        field('dropdown', 'label: L, options: [a], default: 1'),
        "body[0](dropdown): the value of 'default' is out of range",
      ],
      [
        field('dropdown', 'label: L, options: [a], default: -1'),
        "body[0](dropdown): the value of 'default' is out of range",
      ],
      [
        field('checkboxes', 'label: L, description: 1, options: [{label: a}]'),
        "body[0](checkboxes): 'description' should be a string",
      ],
      [
        field('checkboxes', 'label: L, options: []'),
        "body[0](checkboxes): 'options' is required and should be an array",
      ],
      [
        field('checkboxes', 'label: L, options: [a]'),
        'body[0](checkboxes), option[0]: should be a dictionary',
      ],
      [
        box('required: true'),
        "body[0](checkboxes), option[0]: 'label' is required and should be a string",
      ],
      [box('label: a, visible: form'), "body[0](checkboxes), option[0]: 'visible' should be list"],
      [
        box('label: a, visible: [page]'),
        "body[0](checkboxes), option[0]: 'visible' list can only contain strings of 'form' and 'content'",
      ],
      [box('label: a, required: 1'), "body[0](checkboxes), option[0]: 'required' should be a bool"],
      [
        box('label: a, required: false, visible: [content]'),
        'body[0](checkboxes), option[0]: can not require a hidden checkbox',
      ],
      ['name: n\nabout: a\nbody:\n  -\n', 'yaml unmarshal: body[0] should be a dictionary'],
      ['name: n\nabout: a\nlabels: {a: b}', "yaml unmarshal: 'labels' should be a string"],
      [
        'name: n\nabout: a\nassignees: [[a]]',
        "yaml unmarshal: 'assignees' should be a list of strings",
      ],
      ['name: [n]\nabout: a', "yaml unmarshal: 'name' should be a string"],
      ['name: n\nabout: a\nbody: text', "yaml unmarshal: 'body' should be a list"],
      [form('{type: input, id: [a]}'), "yaml unmarshal: body[0]: 'id' should be a string"],
      [form('{type: input, attributes: [a]}'), 'yaml unmarshal: body[0]: a dictionary is expected'],
      [form('{type: input, visible: form}'), "yaml unmarshal: body[0]: 'visible' should be a list"],
      [
        form('{type: input, visible: [[a]]}'),
        "yaml unmarshal: body[0]: 'visible' should be a list",
      ],
      ['- a', 'yaml unmarshal: a map is expected'],
    ]

    for (const [text, message] of cases)
      assert.equal(await problemOf('f.yaml', text), message, text)
  })

  test('is taken with fields of every type as they may be', async () => {
    const cases: readonly string[] = [
      field('markdown', 'value: v'),
      field('textarea', 'label: L'),
      // An absent key ends the check of those behind it.
      field('textarea', 'label: L, placeholder: 5'),
      field('input', 'label: L', ', validations: {required: true}, visible: []'),
      field('input', 'label: L', ', validations: {required: false}, visible: [content]'),
      field('dropdown', 'label: L, options: [a, b], default: 1, list: true, multiple: false'),
      field('dropdown', 'label: L, options: [a]'),
      field('checkboxes', 'label: L, options: [{label: a}]', ', validations: {required: 1}'),
      field('markdown', 'value: v', ', validations: {required: true}, visible: [content]'),
      box('label: a, required: true, visible: [form]'),
      box('label: a, visible: [content]'),
      form('{type: markdown, id: "a b", attributes: {value: v}}'),
      form('{type: input, attributes: &x {label: L}}', '{type: input, attributes: *x}'),
      form('{type: input, attributes: {<<: {label: L}}}'),
      `${form('{type: input, attributes: {label: L}}')}---\nother: document\n`,
    ]

    for (const text of cases) assert.equal(await problemOf('f.yml', text), '', text)
  })

  test('has defaults for what a field leaves out, and texts from any plain scalar', async () => {
    const text =
      'name: 8\nabout: true\ntitle: 1.50\nbody:\n' +
      '  - {type: markdown, attributes: {value: v}}\n' +
      '  - {type: input, id: 7, attributes: {label: L}, visible: []}\n' +
      '  - {type: input, attributes: {label: L}}\n'

    const { name, about, title, fields } = await parseTemplate('f.yaml', text)

    assert.deepEqual([name, about, title], ['8', 'true', '1.50'])
    assert.deepEqual(
      fields?.map(({ id, visible }) => [id, visible]),
      [
        ['0', ['form']],
        ['7', []],
        ['2', ['form', 'content']],
      ],
    )
  })
})

suite('a Markdown template', () => {
  test('is its text alone when there is no usable front matter', async () => {
    const texts = [
      'plain',
      '---\nname: n\nabout: a\n',
      '---\n---\ntext',
      '---\nname: [\n---\ntext',
      '---\n- a\n---\ntext',
      '---\nname: n\nabout: a\nlabels: {a: b}\n---\n',
      '--\nname: n\nabout: a\n--\n',
      'text\nname: n\nabout: a\n---\nmore',
    ]

    for (const text of texts) {
      const { name, about, content, fields } = await parseTemplate('x/f.md', text)
      assert.deepEqual([name, about, content, fields], ['f.md', text, text, undefined])
    }
  })

  test('is cut to 80 columns for its description', async () => {
    const about = async (text: string) => (await parseTemplate('f.md', text)).about

    assert.equal(await about('x'.repeat(80)), 'x'.repeat(80))
    assert.equal(await about('x'.repeat(81)), `${'x'.repeat(77)}…`)
    assert.equal(await about('漢'.repeat(40)), '漢'.repeat(40))
    assert.equal(await about('漢'.repeat(41)), `${'漢'.repeat(38)}…`)
  })

  test('needs a name and an about in its front matter', async () => {
    assert.equal(await problemOf('f.md', markdown('about: a')), "'name' is required")
    assert.equal(await problemOf('f.md', markdown('name: n')), "'about' is required")
    assert.equal(await problemOf('f.md', markdown('# a comment')), "'name' is required")
    assert.equal(await problemOf('f.md', ''), "'about' is required")
    assert.equal(await problemOf('f.md', ' \n'), "'about' is required")
  })

  test('takes dashes of any length with blanks around them', async () => {
    const text = ' ---- \r\nname: n\r\ndescription: d\r\nabout: ""\r\n-----\t\r\nrest\r\n'

    const { name, about, content } = await parseTemplate('f.md', text)

    assert.deepEqual([name, about, content], ['n', 'd', 'rest\r\n'])
  })

  test('has labels and assignees as a list, as a text, or not at all', async () => {
    const labels = async (line: string) =>
      (await parseTemplate('f.md', markdown(`name: n\nabout: a\n${line}`))).labels

    assert.deepEqual(await labels('labels: a, b,,c '), ['a', 'b', 'c'])
    assert.deepEqual(await labels('labels: [a, 2]'), ['a', '2'])
    assert.deepEqual(await labels('labels: []'), [])
    assert.equal(await labels('labels: " , "'), undefined)
    assert.equal(await labels('labels:'), undefined)
    assert.equal(await labels(''), undefined)
  })
})

suite('an issue configuration', () => {
  const link = (fields: string) => `contact_links: [{${fields}}]`
  const withUrl = (url: string) => link(`name: n, about: a, url: "${url}"`)

  test('tells what is wrong with it, and then nothing of it counts', async () => {
    const cases: readonly (readonly [string, string | RegExp])[] = [
      ['blank_issues_enabled: Test', /should be a bool/],
      ['blank_issues_enabled: "true"', /should be a bool/],
      ['- a', /dictionary/],
      ['contact_links: a', /list/],
      ['contact_links: [a]', /dictionary/],
      [link('url: /a, about: a'), 'contact_link at position 1 is missing name key'],
      [link('name: n, about: a'), 'contact_link at position 1 is missing url key'],
      [link('name: n, url: /a'), 'contact_link at position 1 is missing about key'],
      ['contact_links: [{name: n, url: /a, about: a}, {}]', /position 2 is missing name/],
      [withUrl('foo'), 'foo is not a valid URL'],
      [withUrl('http://a b/'), 'http://a b/ is not a valid URL'],
      [withUrl('http://a:b/'), 'http://a:b/ is not a valid URL'],
      [withUrl(':x'), ':x is not a valid URL'],
      [withUrl('/a%zz'), '/a%zz is not a valid URL'],
      [withUrl('/a\\tb'), '/a\tb is not a valid URL'],
      ['contact_links: [~]', 'contact_link at position 1 is missing name key'],
      ['a: [', /./],
    ]

    for (const [text, message] of cases) {
      const { config, problem } = await readConfig(
        `blank_issues_enabled: false\n${text}`.replace(
          /^blank_issues_enabled: false\n(?=blank|- )/,
          '',
        ),
      )
      if (typeof message === 'string') assert.equal(problem, message)
      else assert.match(problem, message)
      assert.deepEqual(config, { blankIssues: true, contactLinks: [] }, text)
    }
  })

  test('is read with defaults for what it does not say', async () => {
    const flag = async (text: string) => {
      const { config, problem } = await readConfig(text)
      assert.equal(problem, '', text)
      return config.blankIssues
    }
    const urls = ['https://a:80/b', '/a', 'mailto:a@b', 'http://[::1]:3/', 'https://u@a/?b c']

    assert.deepEqual(await readConfig(''), {
      config: { blankIssues: true, contactLinks: [] },
      problem: '',
    })
    for (const word of ['no', 'off', 'n', 'False', 'OFF']) {
      assert.equal(await flag(`blank_issues_enabled: ${word}`), false, word)
    }
    for (const word of ['yes', 'on', 'Y', 'true', '', '~']) {
      assert.equal(await flag(`blank_issues_enabled: ${word}\nother: 1`), true, word)
    }
    assert.deepEqual((await readConfig('contact_links:')).config.contactLinks, [])
    for (const url of urls) assert.equal((await readConfig(withUrl(url))).problem, '', url)
  })
})

suite('a file', () => {
  test('at random, as a form, as front matter or as configuration, never breaks the reader', async () => {
    await fc.assert(
      fc.asyncProperty(randomText, async (random) => {
        await problemOf('f.yaml', random)
        await problemOf('f.md', `---\n${random}\n---\n`)
        await readConfig(random)
      }),
      { numRuns: 300 },
    )
  })
})

suite('what is kept', () => {
  const entry = (value: string, weight = 1) => Promise.resolve({ value, weight })

  test('is worked out once, however many ask for it', async () => {
    const cache = new WeighedCache<string>('test', 10)
    let made = 0
    const ask = () => cache.get('a', () => entry(String(++made)))

    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['1', '1', '1'])
    assert.equal(await ask(), '1')
  })

  test('goes when it has not been used for longest, or is too heavy by itself', async () => {
    const cache = new WeighedCache<string>('test', 3)
    const fresh: string[] = []
    const ask = (key: string, weight = 1) =>
      cache.get(key, () => {
        fresh.push(key)
        return entry(key, weight)
      })

    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await ask(key)
    await ask('huge', 4)
    await ask('huge', 4)

    assert.deepEqual(fresh, ['a', 'b', 'c', 'd', 'b', 'huge', 'huge'])
  })

  test('is not a failure', async () => {
    const cache = new WeighedCache<string>('test', 3)

    await assert.rejects(
      cache.get('a', () => Promise.reject(new Error('no'))),
      /no/,
    )

    assert.equal(await cache.get('a', () => entry('yes')), 'yes')
  })
})
