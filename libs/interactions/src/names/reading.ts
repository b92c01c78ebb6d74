import type { Target } from './target';

/** A known name in the tokens of an input. */
export interface Found {
  target: Target;
  confidence: number;
  salt: boolean;
  /** The tokens as they were written. */
  written: string;
  /** Other possible names; only for a corrected spelling. */
  others?: readonly string[];
  /**
   * The next word is a medicine that this brand of a register does not hold, so it may be a maker: "Royce Metformin".
   */
  doubtful?: true;
  /** First and last token, inclusive. */
  from: number;
  to: number;
}

/** The reading of the tokens of an input. */
export interface Reading {
  found: Found[];
  /** Runs of tokens without a known meaning: first and last token. */
  unknown: { from: number; to: number }[];
  /** True when a name was found and then removed again ("alcohol-free beer"). */
  emptied: boolean;
}
