/** Puts the two names into a text. At the beginning of a sentence, the name gets a capital letter. */
export function fillIn(text: string, a: string, b: string): string {
  return text.replace(
    /(^|[.!?]\s+)\{([ab])\}|\{([ab])\}/g,
    (_, start: string | undefined, first: string | undefined, side: string | undefined) => {
      const name = (first ?? side) === 'a' ? a : b;
      return start === undefined ? name : start + name.charAt(0).toUpperCase() + name.slice(1);
    },
  );
}
