/** What a member may do: look; note doses and readings; change; share the care. Each may do what those before it may. */
export type SpaceRole = 'viewer' | 'carer' | 'editor' | 'owner';

/** Why this device writes nothing in a space, and seals nothing to anybody. */
export interface SpaceBlock {
  /**
   * `roster_refused`: a change of the members breaks a rule. `roster_rolled_back`: the service shows an older roster than was
   * known. `roster_withheld`: it names a newer one, and does not give it. `key_missing`: no owner has given this member the
   * newest key. `new_keys`: it was given by somebody whose new keys are not compared. `tampered`: the key does not open.
   */
  code: 'roster_refused' | 'roster_rolled_back' | 'roster_withheld' | 'key_missing' | 'new_keys' | 'tampered';
  /** Of `roster_refused`: the rule of docs/shared-profiles.md, 1 to 6; 0: the service names somebody whom nobody let in. */
  rule?: number;
  /** Of `new_keys`: whose. */
  accountId?: string;
  message: string;
}

/**
 * Who wrote the newest state of a record in a shared profile. `isCertain`: the writer has sealed it, and the service says the
 * same. Doses are plaintext: theirs is the service's word.
 */
export interface RecordAuthor {
  /** `null`: the two say different things, so it is unclear who wrote this. */
  accountId: string | null;
  isCertain: boolean;
}
