/** Names as GitHub's linguist spells them, with the endings of their files. Prose and data are no languages here. */
const endings: Readonly<Record<string, string>> = {
  Ada: 'adb ads',
  Assembly: 'asm s',
  Astro: 'astro',
  Awk: 'awk',
  Batchfile: 'bat cmd',
  C: 'c h',
  'C#': 'cs',
  'C++': 'cpp cc cxx hpp hh hxx',
  CMake: 'cmake',
  CSS: 'css',
  Clojure: 'clj cljs cljc',
  CoffeeScript: 'coffee',
  'Common Lisp': 'lisp',
  Crystal: 'cr',
  D: 'd',
  Dart: 'dart',
  Elixir: 'ex exs',
  Elm: 'elm',
  'Emacs Lisp': 'el',
  Erlang: 'erl hrl',
  'F#': 'fs fsx',
  Fortran: 'f90 f95 f',
  Gleam: 'gleam',
  Go: 'go',
  Gradle: 'gradle',
  Groovy: 'groovy',
  HCL: 'tf hcl',
  HTML: 'html htm xhtml',
  Haskell: 'hs',
  Java: 'java',
  JavaScript: 'js mjs cjs jsx',
  Julia: 'jl',
  Kotlin: 'kt kts',
  Less: 'less',
  Lua: 'lua',
  Nim: 'nim',
  Nix: 'nix',
  OCaml: 'ml mli',
  'Objective-C': 'm',
  'Objective-C++': 'mm',
  PHP: 'php',
  Pascal: 'pas',
  Perl: 'pl pm',
  PowerShell: 'ps1 psm1',
  Prolog: 'pro',
  Python: 'py pyw pyi',
  QML: 'qml',
  R: 'r',
  Racket: 'rkt',
  Ruby: 'rb rake',
  Rust: 'rs',
  SCSS: 'scss',
  Sass: 'sass',
  Scala: 'scala sc',
  Scheme: 'scm',
  Shell: 'sh bash zsh',
  Solidity: 'sol',
  Svelte: 'svelte',
  Swift: 'swift',
  Tcl: 'tcl',
  TeX: 'tex sty',
  TypeScript: 'ts mts cts tsx',
  VHDL: 'vhd vhdl',
  Verilog: 'v',
  'Vim Script': 'vim',
  Vue: 'vue',
  Zig: 'zig',
}

const fileNames: Readonly<Record<string, string>> = {
  'CMakeLists.txt': 'CMake',
  Dockerfile: 'Dockerfile',
  Gemfile: 'Ruby',
  Makefile: 'Makefile',
  Rakefile: 'Ruby',
  Vagrantfile: 'Ruby',
}

const byEnding = new Map(
  Object.entries(endings).flatMap(([language, list]) =>
    list.split(' ').map((ending) => [ending, language] as const),
  ),
)
const byFileName = new Map(Object.entries(fileNames))

/** What others wrote, what was generated, and what only explains. */
const foreign =
  /(?:^|\/)(?:node_modules|vendor|third_party|bower_components|dist|docs?|\.[^/]+)\/|\.min\.(?:js|css)$/i

/** The language of a file, told from its path alone. */
export function languageOf(path: string): string | undefined {
  if (foreign.test(path)) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ending = /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return byFileName.get(name) ?? (ending === undefined ? undefined : byEnding.get(ending))
}
