import { Cat, Dog, PawPrint } from 'lucide-preact';

export interface AvatarProps {
  name: string;
  picture?: string | undefined;
  species?: string | undefined;
  isPet?: boolean;
  size?: 'small' | 'large';
}

const TINTS = 6;

/** The same name has the same colour on every screen and device. */
function tintOf(name: string): number {
  let sum = 0;
  for (const letter of name.trim()) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return (sum % TINTS) + 1;
}

/** A picture, an animal or an initial. The name stands beside it, so that it is decoration. */
export function Avatar({ name, picture, species, isPet = false, size = 'small' }: AvatarProps) {
  const Animal = species === 'dog' ? Dog : species === 'cat' ? Cat : PawPrint;
  const content = picture ? (
    <img src={picture} alt="" />
  ) : isPet ? (
    <Animal size={size === 'small' ? 18 : 32} aria-hidden="true" />
  ) : (
    ([...name.trim()][0] ?? '?').toUpperCase()
  );
  return (
    <span class={`avatar avatar-${size} avatar-${tintOf(name)}`} aria-hidden="true">
      {content}
    </span>
  );
}
