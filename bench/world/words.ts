/** Parts of names: the first are in very many of them, most in few. */
export const words = `
  app api core web data tools server client lib demo parser router engine driver worker editor viewer loader runner
  queue cache store graph stream socket crypto lexer shader mesh falcon otter walrus heron badger lynx marten newt
  osprey puffin quartz basalt granite marble slate flint garnet topaz onyx jade alder birch cedar elm hazel maple
  rowan spruce willow yew anvil bellows chisel lathe mallet plane rasp spanner trowel
`
  .trim()
  .split(/\s+/)
