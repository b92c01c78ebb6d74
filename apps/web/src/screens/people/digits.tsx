import { groupsOf } from './words';

/** Numbers that two persons compare: in groups, which are read aloud one after the other. */
export function Digits({ digits }: { digits: string }) {
  return (
    <p class="digits" translate={false}>
      {groupsOf(digits).map((group, at) => (
        <span key={at}>{group} </span>
      ))}
    </p>
  );
}
