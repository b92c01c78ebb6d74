import { Cat, Dog, PawPrint } from 'lucide-preact';

export interface AvatarProps {
  name: string;
  picture?: string | undefined;
  species?: string | undefined;
  isPet?: boolean;
  size?: 'small' | 'large';
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
    <span class={`avatar avatar-${size}`} aria-hidden="true">
      {content}
    </span>
  );
}
