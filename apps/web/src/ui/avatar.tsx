import { Cat, Dog, PawPrint, Users } from 'lucide-preact';

export interface AvatarProps {
  name: string;
  picture?: string | undefined;
  species?: string | undefined;
  isPet?: boolean;
  size?: 'small' | 'large';
  /** Whether the record of this person is shared: a small mark. Say it in words, too. */
  isShared?: boolean;
}

const TINTS = 6;

/** The same name has the same colour on every screen and device. */
function tintOf(name: string): number {
  let sum = 0;
  for (const letter of name.trim()) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return (sum % TINTS) + 1;
}

/** A picture, an animal or an initial. The name stands beside it, so that it is decoration. */
export function Avatar({
  name,
  picture,
  species,
  isPet = false,
  size = 'small',
  isShared = false,
}: AvatarProps) {
  const Animal = species === 'dog' ? Dog : species === 'cat' ? Cat : PawPrint;
  const content = picture ? (
    <img src={picture} alt="" />
  ) : isPet ? (
    <Animal size={size === 'small' ? 18 : 32} aria-hidden="true" />
  ) : (
    ([...name.trim()][0] ?? '?').toUpperCase()
  );
  const avatar = (
    <span class={`avatar avatar-${size} avatar-${tintOf(name)}`} aria-hidden="true">
      {content}
    </span>
  );
  if (!isShared) return avatar;
  return (
    <span class="avatar-shared" aria-hidden="true">
      {avatar}
      <span class="avatar-mark">
        <Users size={12} />
      </span>
    </span>
  );
}
