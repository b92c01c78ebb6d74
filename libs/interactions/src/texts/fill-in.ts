/** Puts the two names into a text. At the beginning of a sentence, the name gets a capital letter. */
export function fillIn(text: string, a: string, b: string): string {
  let filled = '';
  let from = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const side = text[at + 1];
    if ((side !== 'a' && side !== 'b') || text[at + 2] !== '}') continue;
    const name = side === 'a' ? a : b;
    filled += text.slice(from, at);
    filled += beginsSentence(text, at) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
    from = at + 3;
  }
  return from === 0 ? text : filled + text.slice(from);
}

function beginsSentence(text: string, at: number): boolean {
  if (at === 0) return true;
  let end = at;
  while (end > 0 && /\s/.test(text[end - 1])) end--;
  return end < at && end > 0 && '.!?'.includes(text[end - 1]);
}
