/** One side of a card, in one language. */
export interface CardFace {
  language: string;
  heading: string;
  name: string;
  /** Empty where no birthday is entered. */
  born: string;
  made: string;
  sections: { title: string; lines: string[] }[];
}

const WIDTH = 1080;
const MARGIN = 48;

/** A line with its size in pixels. */
interface Line {
  text: string;
  size: number;
  isBold: boolean;
  indent: number;
}

const linesOf = ({ heading, name, born, made, sections }: CardFace): Line[] => {
  const line = (text: string, size = 36, isBold = false, indent = 0): Line => ({
    text,
    size,
    isBold,
    indent,
  });
  return [
    line(heading, 32, true),
    line(name, 60, true),
    line(born),
    ...sections.flatMap(({ title, lines }) => [
      line(title, 36, true),
      ...lines.map((each) => line(each, 36, false, 24)),
    ]),
    line(made, 28),
  ].filter(({ text }) => text !== '');
};

/** The card as a picture for the photos of a phone: one side below the other. */
export async function pictureOf(faces: readonly CardFace[]): Promise<Uint8Array<ArrayBuffer>> {
  await document.fonts.ready;
  const family = getComputedStyle(document.body).fontFamily;
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d')!;
  const setFont = ({ size, isBold }: Line) => (pen.font = `${isBold ? 650 : 400} ${size}px ${family}`);
  const broken = faces.flatMap((face) =>
    linesOf(face).flatMap((line) => {
      setFont(line);
      return wrap(line.text, (text) => pen.measureText(text).width, WIDTH - 2 * MARGIN - line.indent).map(
        (text) => ({ ...line, text }),
      );
    }),
  );
  canvas.width = WIDTH;
  canvas.height = 2 * MARGIN + broken.reduce((sum, { size }) => sum + size * 1.45, 0);
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#000000';
  let y = MARGIN;
  for (const line of broken) {
    setFont(line);
    y += line.size * 1.45;
    pen.fillText(line.text, MARGIN + line.indent, y);
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return new Uint8Array(await blob!.arrayBuffer());
}

/** Breaks a text between words. A word that is wider than a line stays whole. */
function wrap(text: string, widthOf: (text: string) => number, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
